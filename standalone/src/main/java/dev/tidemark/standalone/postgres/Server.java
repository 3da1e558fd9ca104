package dev.tidemark.standalone.postgres;

import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.standalone.data.Ports;
import dev.tidemark.standalone.data.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server process of one cluster: creates its data, starts it and stops it. */
final class Server {

  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  /** What PostgreSQL says while backends of a killed postmaster still hold its shared memory. */
  private static final String SHARED_MEMORY_IN_USE = "pre-existing shared memory block";

  private static final String PORT_TAKEN = "could not create any TCP/IP sockets";

  private static final Duration SHARED_MEMORY_LIMIT = Duration.ofSeconds(20);
  private static final Duration RETRY = Duration.ofMillis(100);
  private static final int PORT_TRIES = 5;

  /** Generous: the server replays its log after a crash before it is ready. */
  private static final String START_SECONDS = "120";

  private static final String STOP_SECONDS = "20";

  /**
   * One call of the system instead of one for each of a thousand new files, which on a busy disk
   * take several seconds.
   */
  private static final int SYNCFS_SINCE = 17;

  private static final boolean LINUX = Files.isDirectory(Path.of("/proc/self"));

  /**
   * Settings that the embedded installation needs. The log holds no statements and no details,
   * since those carry row contents.
   */
  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("listen_addresses", "127.0.0.1"),
          Map.entry("unix_socket_directories", ""),
          Map.entry("wal_level", "logical"),
          Map.entry("max_replication_slots", "20"),
          Map.entry("max_wal_senders", "20"),
          // After each checkpoint the first change of a page is logged with the whole page: of an
          // idle cluster's log that is nearly all. How much a restart reads is bounded by
          // max_wal_size.
          Map.entry("checkpoint_timeout", "30min"),
          Map.entry("wal_compression", "on"),
          Map.entry("max_connections", "200"),
          Map.entry("password_encryption", "scram-sha-256"),
          Map.entry("timezone", "UTC"),
          Map.entry("log_timezone", "UTC"),
          Map.entry("log_line_prefix", "%m [%p] "),
          Map.entry("log_error_verbosity", "terse"),
          Map.entry("log_min_error_statement", "panic"));

  private final ClusterFolder folder;
  private final Programs programs;
  private final Postmaster postmaster;

  Server(ClusterFolder folder, Programs programs) {
    this.folder = folder;
    this.programs = programs;
    this.postmaster = new Postmaster(folder.data());
  }

  /** Creates the cluster, with the superuser's password. */
  void create(int version, String password) throws IOException {
    Path data = folder.newData();
    Path passwordFile = folder.root().resolve("superuser.password");
    PrivateFiles.write(passwordFile, password + "\n");
    List<String> command =
        new ArrayList<>(
            List.of(
                "initdb",
                "-D",
                data.toString(),
                "-U",
                EmbeddedPostgres.SUPERUSER,
                "--pwfile=" + passwordFile,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--data-checksums"));
    if (version >= SYNCFS_SINCE && LINUX) {
      command.add("--sync-method=syncfs");
    }
    try {
      programs.mustRun(command);
    } finally {
      Files.deleteIfExists(passwordFile);
    }
    folder.adopt(data);
  }

  /** Ends the server that a killed JVM left running, and clears up after a dead one. */
  void stopLeftover() throws IOException {
    Optional<ProcessHandle> leftover = postmaster.running();
    if (leftover.isPresent()) {
      LOG.info(
          "postgres left running by an earlier process is stopped folder={} pid={}",
          folder.root(),
          leftover.get().pid());
      stop();
    }
    postmaster.disownUnrelatedProcess();
  }

  /**
   * Starts the server on its old port, or on another when that is taken.
   *
   * @return the port
   */
  int start(Map<String, String> settings) throws IOException {
    long deadline = System.nanoTime() + SHARED_MEMORY_LIMIT.toNanos();
    int port = Ports.remembered(folder.portFile());
    int ports = 1;
    while (true) {
      Programs.Result result = startOnce(settings, port);
      if (result.status() == 0) {
        return port;
      }
      if (folder.logSays(PORT_TAKEN) && ports < PORT_TRIES) {
        port = Ports.fresh(folder.portFile());
        ports++;
      } else if (folder.logSays(SHARED_MEMORY_IN_USE) && System.nanoTime() < deadline) {
        LockSupport.parkNanos(RETRY.toNanos());
      } else {
        throw new InstallationException(
            "PostgreSQL in "
                + folder.root()
                + " did not start: "
                + result.output().strip()
                + "\nthe end of "
                + folder.log()
                + ":\n"
                + folder.logTail());
      }
    }
  }

  private Programs.Result startOnce(Map<String, String> settings, int port) throws IOException {
    Map<String, String> all = new LinkedHashMap<>(SETTINGS);
    all.putAll(settings);
    all.put("port", Integer.toString(port));
    folder.writeSettings(all);
    folder.rotateLog();
    return programs.run(
        List.of(
            "pg_ctl",
            "start",
            "-w",
            "-s",
            "-t",
            START_SECONDS,
            "-D",
            folder.data().toString(),
            "-l",
            folder.log().toString()));
  }

  /** The process of the server, when it runs. */
  Optional<ProcessHandle> process() throws IOException {
    return postmaster.running();
  }

  /** Stops the server, and at once when it does not want to. */
  void stop() throws IOException {
    if (stop("fast").status() != 0 && postmaster.running().isPresent()) {
      LOG.warn(
          "postgres did not stop within {} s and is stopped at once folder={}",
          STOP_SECONDS,
          folder.root());
      Programs.Result result = stop("immediate");
      if (result.status() != 0 && postmaster.running().isPresent()) {
        throw new InstallationException(
            "PostgreSQL in " + folder.root() + " does not stop: " + result.output().strip());
      }
    }
  }

  private Programs.Result stop(String mode) throws IOException {
    return programs.run(
        List.of(
            "pg_ctl",
            "stop",
            "-w",
            "-s",
            "-t",
            STOP_SECONDS,
            "-m",
            mode,
            "-D",
            folder.data().toString()));
  }
}
