package dev.tidemark.tests.bench.system;

import dev.tidemark.standalone.EmbeddedServers;
import dev.tidemark.standalone.data.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;

/** A peer on two clusters of its own, with the document table on the source. */
abstract class Peer implements Contender {

  /** Of all the peers' superusers, which only this machine reaches. */
  static final String PASSWORD = "bench-bench";

  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(100);

  private final SystemKind kind;
  private final Path folder;
  private final Clusters clusters;

  Peer(SystemKind kind, Path folder, Clusters clusters) {
    this.kind = kind;
    this.folder = folder;
    this.clusters = clusters;
  }

  /**
   * Its clusters, with the documents' table, its rows, and the publication {@code bench} on the
   * source.
   */
  static Clusters clusters(Site site, Path folder, int rows) throws Exception {
    Clusters clusters = Clusters.start(site, folder, PASSWORD);
    try (Connection source = clusters.connectSource();
        Statement statement = source.createStatement()) {
      statement.execute(Clusters.DOCUMENTS);
      Documents.fill(source, rows);
      statement.execute("create publication bench for table tidemark_doc");
    } catch (SQLException e) {
      clusters.close();
      throw e;
    }
    return clusters;
  }

  /** Whether a document has arrived. */
  abstract boolean hasArrived(String name) throws Exception;

  /**
   * Writes until something arrives, since nothing else tells that it follows, and then until the
   * last of what was written has arrived.
   */
  private void awaitFollowing() throws Exception {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    int written = 0;
    boolean following = false;
    try (Connection source = source();
        Statement statement = source.createStatement()) {
      while (!following) {
        if (System.nanoTime() - deadline > 0) {
          throw new BenchException(name() + " does not follow its source; see " + folder);
        }
        hello(statement, written);
        Thread.sleep(POLL);
        for (int i = 0; i <= written && !following; i++) {
          following = hasArrived("hello-" + i);
        }
        written++;
      }
      hello(statement, written);
      while (!hasArrived("hello-" + written)) {
        if (System.nanoTime() - deadline > 0) {
          throw new BenchException(name() + " does not follow its source; see " + folder);
        }
        Thread.sleep(POLL);
      }
    }
  }

  /** Waits for the snapshot's slot only where there are rows, and until it follows otherwise. */
  final void awaitStart(int rows) throws Exception {
    if (rows == 0) {
      awaitFollowing();
    }
  }

  private static void hello(Statement statement, int number) throws SQLException {
    statement.execute(
        "insert into tidemark_doc values ('t', 'Waybill', 'hello-"
            + number
            + "', '{}', 1, now(), now())");
  }

  final Clusters clusters() {
    return clusters;
  }

  @Override
  public final String name() {
    return kind.text();
  }

  @Override
  public final Connection source() throws SQLException {
    return clusters.connectSource();
  }

  @Override
  public final long followedSince() throws IOException {
    return Clusters.slotMicros(folder.resolve("postgres").resolve(EmbeddedServers.SOURCE));
  }

  /** Its own processes. */
  abstract long processCpu();

  @Override
  public final Cpu cpu() throws Exception {
    return new Cpu(processCpu(), clusters.sourceCpu(), clusters.replicaCpu());
  }

  /** Stops its own processes. */
  abstract void stop() throws Exception;

  @Override
  public final void close() throws Exception {
    try {
      stop();
    } finally {
      clusters.close();
      TemporaryFolder.deleteRecursively(folder);
    }
  }

  /** A peer whose documents arrive in a table. */
  abstract static class WithReplica extends Peer {

    private final ReplicaTable table;
    private final Connection replica;

    WithReplica(SystemKind kind, Path folder, Clusters clusters, ReplicaTable table)
        throws SQLException {
      super(kind, folder, clusters);
      this.table = table;
      this.replica = clusters.connectReplica();
    }

    @Override
    final boolean hasArrived(String name) throws SQLException {
      return !table.commits(replica, name).isEmpty();
    }

    @Override
    public final Map<String, Long> arrivals(String prefix) throws SQLException {
      return table.commits(replica, prefix);
    }

    @Override
    public final long awaitAll(Fill fill, Duration limit)
        throws SQLException, InterruptedException {
      return table.awaitAll(this, replica, fill, limit);
    }

    @Override
    public void clear() throws SQLException, InterruptedException {
      table.truncate(replica);
    }
  }
}
