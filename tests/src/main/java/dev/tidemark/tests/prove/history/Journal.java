package dev.tidemark.tests.prove.history;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Everything that was asked, answered and injected, a line each with its time, in a file; and the
 * violations. Thread-safe.
 */
public final class Journal implements AutoCloseable {

  private static final int VIOLATIONS_KEPT = 20;

  private final BufferedWriter file;
  private final long begin = System.nanoTime();
  private final List<String> violations = new ArrayList<>();
  private int violationCount;
  private boolean closed;

  /** Writes to the file. */
  public Journal(Path path) throws IOException {
    this.file = Files.newBufferedWriter(path);
  }

  /** Adds a line, unless it is closed: threads may still end then. */
  public synchronized void line(String text) {
    if (closed) {
      return;
    }
    try {
      file.write((System.nanoTime() - begin) / 1_000_000 + " " + text);
      file.newLine();
    } catch (IOException e) {
      throw new UncheckedIOException("the history could not be written", e);
    }
  }

  /** Notes a violation, with the history of the subject that it is about. */
  public synchronized void violation(String text, List<String> history) {
    violationCount++;
    StringBuilder whole = new StringBuilder(text);
    history.forEach(line -> whole.append("\n    ").append(line));
    line("VIOLATION " + whole);
    if (violations.size() < VIOLATIONS_KEPT) {
      violations.add(whole.toString());
    }
  }

  /** How many violations there are. */
  public synchronized int violationCount() {
    return violationCount;
  }

  /** The first violations. */
  public synchronized List<String> violations() {
    return List.copyOf(violations);
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    file.close();
  }
}
