package dev.tidemark.tests.bench.system;

import dev.tidemark.standalone.EmbeddedServers;
import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import dev.tidemark.standalone.postgres.PostgresBinaries;
import dev.tidemark.standalone.postgres.PostgresConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The source's and the replica's cluster of one system, below one folder as an installation of
 * Tidemark has them, with the same settings for every system.
 */
final class Clusters implements AutoCloseable {

  /** The documents, as Tidemark's migration makes them. */
  static final String DOCUMENTS =
      "create table tidemark_doc (tenant_id text not null, doctype text not null, name text not"
          + " null, data jsonb not null, version bigint not null, created_at timestamptz not null,"
          + " updated_at timestamptz not null, primary key (tenant_id, doctype, name))";

  /**
   * Commit times are what is measured; checkpoints should not fall into a measurement by chance.
   */
  private static final Map<String, String> SETTINGS =
      Map.of("track_commit_timestamp", "on", "max_wal_size", "8GB", "checkpoint_timeout", "30min");

  private final EmbeddedPostgres source;
  private final EmbeddedPostgres replica;

  private Clusters(EmbeddedPostgres source, EmbeddedPostgres replica) {
    this.source = source;
    this.replica = replica;
  }

  /** Creates and starts both, with their databases. */
  static Clusters start(Site site, Path folder, String password) throws Exception {
    return both(
        () -> site.start(() -> start(folder, password, EmbeddedServers.SOURCE)),
        () -> site.start(() -> start(folder, password, EmbeddedServers.REPLICA)));
  }

  private static Clusters both(
      Callable<EmbeddedPostgres> source, Callable<EmbeddedPostgres> replica) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<EmbeddedPostgres> one = threads.submit(source);
      Future<EmbeddedPostgres> other = threads.submit(replica);
      return new Clusters(one.get(), other.get());
    } catch (ExecutionException e) {
      throw new BenchException("a PostgreSQL did not start", e.getCause());
    }
  }

  private static EmbeddedPostgres start(Path folder, String password, String name)
      throws IOException, SQLException {
    EmbeddedPostgres cluster =
        EmbeddedPostgres.start(
            new PostgresConfig(
                folder.resolve("postgres").resolve(name),
                PostgresBinaries.DEFAULT_VERSION,
                password,
                SETTINGS));
    cluster.createDatabase(name);
    return cluster;
  }

  /** Keeps the settings when another program starts the clusters. */
  void keepSettings() throws SQLException {
    for (EmbeddedPostgres cluster : new EmbeddedPostgres[] {source, replica}) {
      try (Connection connection = cluster.connect("postgres");
          Statement statement = connection.createStatement()) {
        for (Map.Entry<String, String> setting : SETTINGS.entrySet()) {
          statement.execute(
              "alter system set " + setting.getKey() + " = '" + setting.getValue() + "'");
        }
      }
    }
  }

  EmbeddedPostgres source() {
    return source;
  }

  EmbeddedPostgres replica() {
    return replica;
  }

  Connection connectSource() throws SQLException {
    return source.connect(EmbeddedServers.SOURCE);
  }

  Connection connectReplica() throws SQLException {
    return replica.connect(EmbeddedServers.REPLICA);
  }

  /**
   * When the first slot of a cluster was made, in microseconds since 1970: the birth of its folder,
   * which PostgreSQL tells nobody.
   */
  static long slotMicros(Path cluster) throws IOException {
    try (Stream<Path> slots = Files.list(cluster.resolve("data").resolve("pg_replslot"))) {
      long first = Long.MAX_VALUE;
      for (Path slot : slots.toList()) {
        first =
            Math.min(
                first,
                Files.readAttributes(slot, BasicFileAttributes.class)
                    .creationTime()
                    .to(TimeUnit.MICROSECONDS));
      }
      return first;
    }
  }

  /** CPU time of the source's server. */
  long sourceCpu() throws IOException {
    return ProcessCpu.treeNanos(source.process().pid());
  }

  /** CPU time of the replica's server. */
  long replicaCpu() throws IOException {
    return ProcessCpu.treeNanos(replica.process().pid());
  }

  /** Stops both. */
  @Override
  public void close() throws IOException {
    try {
      source.close();
    } finally {
      replica.close();
    }
  }
}
