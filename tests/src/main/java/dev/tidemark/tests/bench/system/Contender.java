package dev.tidemark.tests.bench.system;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/**
 * A system that runs on a source of its own and follows its documents. Used by one thread, but for
 * {@link #close}, which stops it and removes its data.
 */
public interface Contender extends AutoCloseable {

  /** As the results name it. */
  String name();

  /** A new connection to the source, as superuser. */
  Connection source() throws SQLException;

  /** When documents were committed on the source, as {@link #arrivals} tells it. */
  default Map<String, Long> commits(String prefix) throws SQLException {
    try (Connection source = source()) {
      return ReplicaTable.DOCUMENTS.commits(source, prefix);
    }
  }

  /** Stops taking changes; they wait in the slot. Returns when nothing is taken any more. */
  void pause() throws Exception;

  /** Takes changes again. */
  void resume() throws Exception;

  /**
   * When documents became visible, in microseconds since 1970, by name.
   *
   * @param prefix of the names
   */
  Map<String, Long> arrivals(String prefix) throws Exception;

  /**
   * Waits until all documents of a fill are there, and checks that they are equal to the source's.
   *
   * @return when the last one became visible, in microseconds since 1970
   * @throws BenchException when they are not there within the limit, or not equal
   */
  long awaitAll(Fill fill, Duration limit) throws Exception;

  /** Removes all documents here, after they were truncated on the source. */
  void clear() throws Exception;

  /** When its slot was made, in microseconds since 1970. */
  long followedSince() throws Exception;

  /** CPU time so far, in nanoseconds. */
  Cpu cpu() throws Exception;

  @Override
  void close() throws Exception;

  /**
   * CPU time by who used it.
   *
   * @param system its own processes
   * @param source the source's server
   * @param replica the replica's server; 0 when there is none
   */
  record Cpu(long system, long source, long replica) {

    /** All of it. */
    public long total() {
      return system + source + replica;
    }

    /** What was used since an earlier time. */
    public Cpu since(Cpu earlier) {
      return new Cpu(system - earlier.system, source - earlier.source, replica - earlier.replica);
    }
  }
}
