package dev.tidemark.tests.bench.system;

import dev.tidemark.standalone.data.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;

/**
 * Where a run keeps its data, and what it has running. {@link #close} stops all of it and removes
 * the folder; a shutdown hook calls it too, so that Ctrl-C leaves nothing behind. Thread-safe.
 */
public final class Site implements AutoCloseable {

  private final Path folder;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private int folders;
  private boolean closed;

  private Site(Path folder) {
    this.folder = folder;
  }

  /** Makes the folder, below the system's temporary one. */
  public static Site open() throws IOException {
    Site site = new Site(TemporaryFolder.create("tidemark-bench").path());
    Runtime.getRuntime().addShutdownHook(new Thread(site::closeLast, "bench-shutdown"));
    return site;
  }

  /** A new folder for a system's data; the system removes it when it is closed. */
  public synchronized Path newFolder(String name) throws IOException {
    folders++;
    return Files.createDirectory(folder.resolve(name.replace(' ', '-') + "-" + folders));
  }

  /**
   * Starts a part, which is stopped with this site unless it was {@linkplain #stop stopped} before.
   *
   * @throws BenchException when the site was closed meanwhile
   */
  public <T extends AutoCloseable> T start(Callable<T> start) throws Exception {
    T part = start.call();
    boolean late;
    synchronized (this) {
      late = closed;
      if (!late) {
        running.push(part);
      }
    }
    if (late) {
      part.close();
      throw new BenchException("stopped while a part was starting");
    }
    return part;
  }

  /** Stops one part. */
  public void stop(AutoCloseable part) throws Exception {
    synchronized (this) {
      running.remove(part);
    }
    part.close();
  }

  /** Whether it is closed, and failures are what is to be expected. */
  public synchronized boolean closed() {
    return closed;
  }

  private void closeLast() {
    try {
      close();
    } catch (Exception e) {
      System.err.println("tidemark bench: did not stop cleanly: " + e);
    }
  }

  @Override
  public void close() throws Exception {
    Deque<AutoCloseable> open;
    synchronized (this) {
      closed = true;
      open = new ArrayDeque<>(running);
      running.clear();
    }
    Exception failure = null;
    for (AutoCloseable part : open) {
      try {
        part.close();
      } catch (Exception e) {
        failure = e;
      }
    }
    synchronized (this) {
      TemporaryFolder.deleteRecursively(folder);
    }
    if (failure != null) {
      throw failure;
    }
  }
}
