package dev.tidemark.tests.bench.system;

import dev.tidemark.standalone.data.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;

/**
 * Where a run keeps its data, and what it has running. {@link #close} stops all of it and removes
 * the folder; a shutdown hook calls it too, so that Ctrl-C leaves nothing behind. Thread-safe.
 */
public final class Site implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(50);

  private final Path folder;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final Object closing = new Object();
  private int folders;
  private int starting;
  private boolean closed;
  private boolean ending;

  private Site(Path folder) {
    this.folder = folder;
  }

  /** Makes the folder, below the system's temporary one. */
  public static Site open() throws IOException {
    Site site = new Site(TemporaryFolder.create("tidemark-bench").path());
    Runtime.getRuntime().addShutdownHook(new Thread(site::closeLast, "bench-shutdown"));
    return site;
  }

  /** The folder of all data. */
  public Path folder() {
    return folder;
  }

  /** A new folder for a system's data; the system removes it when it is closed. */
  public synchronized Path newFolder(String name) throws IOException {
    folders++;
    return Files.createDirectory(folder.resolve(name.replace(' ', '-') + "-" + folders));
  }

  /**
   * Starts a part, which is stopped with this site unless it was {@linkplain #stop stopped} before.
   * Every process and every server is started by this, and so is each system that is made of them.
   *
   * @throws BenchException when the site was closed meanwhile
   */
  public <T extends AutoCloseable> T start(Callable<T> start) throws Exception {
    synchronized (this) {
      if (closed) {
        throw new BenchException("stopped");
      }
      starting++;
    }
    try {
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
    } finally {
      synchronized (this) {
        starting--;
        notifyAll();
      }
    }
  }

  /** Stops one part. */
  public void stop(AutoCloseable part) throws Exception {
    synchronized (this) {
      running.remove(part);
    }
    part.close();
  }

  /** Leaves a part alone that another has taken the place of. */
  public synchronized void forget(AutoCloseable part) {
    running.remove(part);
  }

  /** Whether the process is being ended, and failures are what is to be expected. */
  public synchronized boolean ending() {
    return ending;
  }

  private void closeLast() {
    synchronized (this) {
      ending = true;
    }
    try {
      close();
    } catch (Exception e) {
      System.err.println("tidemark bench: did not stop cleanly: " + e);
    }
  }

  /**
   * Stops all, the newest first, and waits for what was just being started. A second caller waits
   * for the first: the data must stay until the servers on it have stopped.
   */
  @Override
  public void close() throws Exception {
    synchronized (closing) {
      closeOnce();
    }
  }

  private void closeOnce() throws Exception {
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
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    synchronized (this) {
      while (starting > 0 && System.nanoTime() - deadline < 0) {
        wait(POLL.toMillis());
      }
      TemporaryFolder.deleteRecursively(folder);
    }
    if (failure != null) {
      throw failure;
    }
  }
}
