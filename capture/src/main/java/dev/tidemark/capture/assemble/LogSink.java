package dev.tidemark.capture.assemble;

import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.log.LogRecord;

/** Where assembled records go, in order. */
public interface LogSink {

  /** Appends a record to a partition, after everything that was appended to it before. */
  void append(int partition, LogRecord logRecord);

  /** Waits until everything that was appended is in the log, and throws when it is not. */
  void flush();

  /**
   * Says that everything up to {@code position} has been appended, so that it may be stored as the
   * source offset once all of it is acknowledged.
   */
  void completed(Lsn position);
}
