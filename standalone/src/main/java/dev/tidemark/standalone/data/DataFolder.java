package dev.tidemark.standalone.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An installation's data folder, locked for one process as long as this object is open. The lock is
 * the operating system's own on {@code tidemark.lock}: it ends with the process, also by kill -9,
 * so there are no stale locks.
 */
public final class DataFolder implements AutoCloseable {

  /**
   * What this JVM has locked. Asked before the file is opened: a POSIX lock is lost when its
   * process closes any other descriptor of the file.
   */
  private static final Set<Path> LOCKED_HERE = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel lock;

  private DataFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Creates the folder when there is none, and locks it.
   *
   * @throws InstallationException when another process, or this one, has it locked
   */
  public static DataFolder lock(Path folder) throws IOException {
    Path path = PrivateFiles.createFolder(folder).toRealPath();
    if (!LOCKED_HERE.add(path)) {
      throw inUse(path, Long.toString(ProcessHandle.current().pid()));
    }
    try {
      return new DataFolder(path, lockFile(path));
    } catch (IOException | RuntimeException e) {
      LOCKED_HERE.remove(path);
      throw e;
    }
  }

  private static FileChannel lockFile(Path path) throws IOException {
    Path file = path.resolve("tidemark.lock");
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    if (channel.tryLock() == null) {
      channel.close();
      throw inUse(path, Files.readString(file).strip());
    }
    channel.truncate(0);
    channel.write(
        ByteBuffer.wrap(
            (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)));
    return channel;
  }

  private static InstallationException inUse(Path path, String pid) {
    return new InstallationException(
        "the data folder "
            + path
            + " is in use by process "
            + pid
            + ": stop that one first, or name another folder with --data");
  }

  /** Absolute, without symbolic links. */
  public Path path() {
    return path;
  }

  /** The keys of the local issuer. */
  public static Path issuerFile(Path folder) {
    return folder.resolve("issuer.json");
  }

  /** Where the running installation can be reached; absent while none runs. */
  public static Path endpointsFile(Path folder) {
    return folder.resolve("endpoints.json");
  }

  /** The passwords of the database roles. */
  public static Path secretsFile(Path folder) {
    return folder.resolve("secrets.json");
  }

  /** Gives the folder free for the next process. */
  @Override
  public void close() throws IOException {
    lock.close();
    LOCKED_HERE.remove(path);
  }
}
