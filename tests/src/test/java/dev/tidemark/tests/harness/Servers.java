package dev.tidemark.tests.harness;

import dev.tidemark.standalone.Services;
import dev.tidemark.standalone.data.Secrets;
import dev.tidemark.standalone.data.TemporaryFolder;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.standalone.kafka.EmbeddedKafka;
import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import dev.tidemark.standalone.postgres.PostgresBinaries;
import dev.tidemark.standalone.postgres.PostgresConfig;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The servers that all tests of this JVM share: started by the first that asks, stopped when the
 * JVM ends.
 *
 * @param source a cluster
 * @param replica another cluster
 * @param kafka the broker
 * @param secrets the passwords of the database roles, the same in both clusters
 * @param issuer whose tokens every gateway accepts
 * @param folder for what tests keep on disk
 */
public record Servers(
    EmbeddedPostgres source,
    EmbeddedPostgres replica,
    EmbeddedKafka kafka,
    Secrets secrets,
    LocalIssuer issuer,
    Path folder) {

  /**
   * The system property with the major version of PostgreSQL that both clusters have; the newest
   * that Tidemark brings along where it is not set.
   */
  public static final String VERSION_PROPERTY = "tidemark.tests.postgres";

  private static final class Holder {
    private static final Servers SHARED = start();
  }

  /** The shared servers. */
  public static Servers shared() {
    return Holder.SHARED;
  }

  private static Servers start() {
    try {
      TemporaryFolder temporary = TemporaryFolder.create("tidemark-tests");
      Path folder = temporary.path();
      Secrets secrets = Secrets.loadOrCreate(folder, Services.ROLES);
      String password = secrets.password(EmbeddedPostgres.SUPERUSER);
      EmbeddedPostgres source = postgres(folder.resolve("source"), password);
      EmbeddedPostgres replica = postgres(folder.resolve("replica"), password);
      EmbeddedKafka kafka = EmbeddedKafka.start(folder.resolve("kafka"));
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    try (temporary;
                        source;
                        replica;
                        kafka) {
                      // closed in the reverse order
                    } catch (IOException e) {
                      System.err.println("the tests' servers did not stop cleanly: " + e);
                    }
                  }));
      return new Servers(source, replica, kafka, secrets, LocalIssuer.loadOrCreate(folder), folder);
    } catch (IOException e) {
      throw new IllegalStateException("the tests' servers did not start", e);
    }
  }

  private static EmbeddedPostgres postgres(Path folder, String password) throws IOException {
    return EmbeddedPostgres.start(
        new PostgresConfig(
            folder,
            Integer.getInteger(VERSION_PROPERTY, PostgresBinaries.DEFAULT_VERSION),
            password));
  }
}
