package dev.tidemark.tests.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.standalone.data.TemporaryFolder;
import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import dev.tidemark.standalone.postgres.PostgresBinaries;
import dev.tidemark.standalone.postgres.PostgresConfig;
import dev.tidemark.tests.harness.BareGateway;
import dev.tidemark.tests.harness.Caller;
import dev.tidemark.tests.harness.Servers;
import dev.tidemark.tests.harness.TestPipeline;
import dev.tidemark.topics.Lsn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A source that loses the end of its log takes the gateway's knowledge of it along. */
class FailoverTest {

  private static final String ROW = BareGateway.ROWS + "/R0";
  private static final String REQUIRED = "X-Required-LSN";
  private static final String GENERATION = "X-Tx-Generation";

  private static EmbeddedPostgres source(Path folder) throws IOException {
    return EmbeddedPostgres.start(
        new PostgresConfig(folder, PostgresBinaries.DEFAULT_VERSION, "only-for-tests", Map.of()));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      files.forEach(
          file -> {
            try {
              Files.copy(file, to.resolve(from.relativize(file)));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
    try (Stream<Path> files = Files.walk(to)) {
      for (Path file : files.toList()) {
        Files.setPosixFilePermissions(
            file, Files.getPosixFilePermissions(from.resolve(to.relativize(file))));
      }
    }
  }

  private static void promote(EmbeddedPostgres standby) throws SQLException {
    try (Connection connection = standby.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("select pg_promote(true, 60)");
    }
  }

  private static Answer write(Caller acme, int bytes) throws Exception {
    return acme.put("/api/doc/Note/N", "{\"n\":1,\"secret\":\"" + "x".repeat(bytes) + "\"}");
  }

  @Test
  void positionsThatTheNewHistoryDoesNotReachAreRefusedAndShorterOnesAreNotServedEarly()
      throws Exception {
    try (TemporaryFolder folder = TemporaryFolder.create("tidemark-failover")) {
      Path live = folder.path().resolve("pg");
      Path backup = folder.path().resolve("backup");
      try (EmbeddedPostgres first = source(live);
          BareGateway gateway = BareGateway.start(first, Servers.shared().replica())) {
        gateway.rows("acme", 1);
        Caller acme = gateway.caller("acme", "reader", "writer");
        first.close();
        copy(live, backup);
        String port = Files.readString(live.resolve("port"));
        String lost;
        String history;
        try (EmbeddedPostgres again = source(live)) {
          await().atMost(TestPipeline.LIMIT).until(() -> write(acme, 100_000).status() < 300);
          Answer written = write(acme, 100);
          lost = written.header("X-Tx-LSN");
          history = written.header(GENERATION);
          assertThat(history).isNotEmpty();
          gateway.watermark("0/1");
          assertThat(acme.get(ROW, REQUIRED, lost).status()).isEqualTo(202);
          gateway.watermark(lost);
          assertThat(acme.get(ROW, REQUIRED, lost).status()).isEqualTo(200);
        }
        try (Stream<Path> files = Files.walk(live)) {
          for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(file);
          }
        }
        copy(backup, live);
        assertThat(Files.readString(live.resolve("port"))).isEqualTo(port);
        try (EmbeddedPostgres restored = source(live)) {
          Answer after =
              await()
                  .atMost(TestPipeline.LIMIT)
                  .until(() -> write(acme, 100), answer -> answer.status() < 300);
          String position = after.header("X-Tx-LSN");
          assertThat(Lsn.parse(lost).isAfter(Lsn.parse(position))).isTrue();

          gateway.watermark("0/1");
          assertThat(acme.get(ROW, REQUIRED, lost).json().path("type").asText())
              .isEqualTo("urn:tidemark:problem:position-beyond-source");
          assertThat(acme.get(ROW, REQUIRED, position).status()).isEqualTo(202);
          Answer stale = acme.get(ROW, "X-Max-Staleness-Ms", "3600000");
          assertThat(stale.status()).isEqualTo(202);
          assertThat(Lsn.parse(lost).isAfter(Lsn.parse(stale.json().path("requiredLsn").asText())))
              .isTrue();
          gateway.watermark(position);
          assertThat(acme.get(ROW, REQUIRED, position).status()).isEqualTo(200);
        }
        Files.createFile(live.resolve("data").resolve("standby.signal"));
        try (EmbeddedPostgres standby = source(live)) {
          promote(standby);
          Answer after =
              await()
                  .atMost(TestPipeline.LIMIT)
                  .until(
                      () -> write(acme, 100),
                      answer -> answer.status() < 300 && answer.header(GENERATION).isEmpty());
          String position = after.header("X-Tx-LSN");
          // The watermark still counts in the former timeline, however far it has come there.
          gateway.watermark("FFFFFFFF/0");
          assertThat(acme.get(ROW, REQUIRED, position).status()).isEqualTo(202);
          assertThat(acme.get(ROW, REQUIRED, "latest").status()).isEqualTo(202);
          assertThat(acme.get(ROW, "X-Max-Staleness-Ms", "0").status()).isEqualTo(202);
          assertThat(acme.get(ROW, REQUIRED, "0/1", "X-Required-Generation", history).status())
              .isEqualTo(200);
          assertThat(acme.get(ROW).status()).isEqualTo(200);

          gateway.beginGeneration(8);
          gateway.watermark(position);
          assertThat(acme.get(ROW, REQUIRED, position).status()).isEqualTo(200);
          assertThat(acme.get(ROW, REQUIRED, "0/1", "X-Required-Generation", history).status())
              .isEqualTo(409);
        }
      }
    }
  }
}
