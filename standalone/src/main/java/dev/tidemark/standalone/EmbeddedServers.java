package dev.tidemark.standalone;

import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.standalone.data.Secrets;
import dev.tidemark.standalone.kafka.EmbeddedKafka;
import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import dev.tidemark.standalone.postgres.PostgresBinaries;
import dev.tidemark.standalone.postgres.PostgresConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The embedded databases and the broker of an installation: started at the same time, each in a
 * folder of its own below the data folder.
 *
 * @param source the cluster of the database {@link #SOURCE}
 * @param replica the cluster of the database {@link #REPLICA}; the same object as {@code source}
 *     under {@link Layout#ONE_CLUSTER}
 * @param kafka the broker
 */
public record EmbeddedServers(
    EmbeddedPostgres source, EmbeddedPostgres replica, EmbeddedKafka kafka) {

  /** The source's database. */
  public static final String SOURCE = "source";

  /** The replica's database. */
  public static final String REPLICA = "replica";

  /**
   * Starts them all, and creates the databases that are not there yet.
   *
   * @param data the data folder, locked by the caller
   * @param started takes what has been started, also when this method fails
   * @throws InstallationException when the data has another layout or version than is asked for, or
   *     a server does not start
   */
  static EmbeddedServers start(
      Path data, StandaloneConfig config, Secrets secrets, CloseStack started)
      throws IOException, SQLException, InterruptedException {
    ClusterFolders folders = ClusterFolders.choose(data.resolve("postgres"), config.layout());
    String password = secrets.password(EmbeddedPostgres.SUPERUSER);
    Future<EmbeddedKafka> kafka;
    Future<EmbeddedPostgres> source;
    Future<EmbeddedPostgres> replica;
    // Leaving the block waits for all, also when one has failed: what starts must be in the stack.
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("start-", 0).factory())) {
      kafka = threads.submit(() -> started.push(EmbeddedKafka.start(data.resolve("kafka"))));
      source =
          threads.submit(
              () ->
                  cluster(
                      folders.source(),
                      config,
                      password,
                      folders.areOne() ? List.of(SOURCE, REPLICA) : List.of(SOURCE),
                      started));
      replica =
          folders.areOne()
              ? source
              : threads.submit(
                  () -> cluster(folders.replica(), config, password, List.of(REPLICA), started));
    }
    return new EmbeddedServers(result(source), result(replica), result(kafka));
  }

  private static EmbeddedPostgres cluster(
      Path folder,
      StandaloneConfig config,
      String password,
      List<String> databases,
      CloseStack started)
      throws IOException, SQLException {
    int version =
        config
            .postgres()
            .orElse(EmbeddedPostgres.versionOf(folder).orElse(PostgresBinaries.DEFAULT_VERSION));
    EmbeddedPostgres cluster =
        started.push(EmbeddedPostgres.start(new PostgresConfig(folder, version, password)));
    for (String database : databases) {
      cluster.createDatabase(database);
    }
    return cluster;
  }

  private static <T> T result(Future<T> future)
      throws IOException, SQLException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case InstallationException cause -> throw cause;
        case IOException cause -> throw cause;
        case SQLException cause -> throw cause;
        case null, default ->
            throw new IllegalStateException("an embedded server did not start", e.getCause());
      }
    }
  }

  /** The clusters, each once. */
  Set<EmbeddedPostgres> clusters() {
    return new LinkedHashSet<>(List.of(source, replica));
  }
}
