package dev.tidemark.standalone.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tidemark.standalone.data.InstallationException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedPostgresTest {

  private static final String PASSWORD = "correct-horse_battery";

  /** Of the cluster that the tests share, since making one takes longer than starting it. */
  private static Path folder = Path.of("");

  @BeforeAll
  static void createCluster(@TempDir Path temporary) throws Exception {
    folder = temporary.resolve("it's a folder");
    start().close();
  }

  @ParameterizedTest
  @ValueSource(ints = {15, 16, 17, 18})
  void everyVersionStartsWithUtf8ChecksumsAndLogicalDecoding(int version, @TempDir Path temporary)
      throws Exception {
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.start(new PostgresConfig(temporary, version, PASSWORD))) {
      assertThat(
              query(
                  postgres,
                  "select current_setting('server_version_num')::int / 10000 || ' ' ||"
                      + " current_setting('server_encoding') || ' ' ||"
                      + " current_setting('data_checksums') || ' ' || current_setting('wal_level')"))
          .isEqualTo(version + " UTF8 on logical");
    }
  }

  @Test
  void dataAndAddressSurviveARestart() throws Exception {
    int port;
    try (EmbeddedPostgres postgres = start()) {
      port = postgres.port();
      postgres.createDatabase("source");
      postgres.createDatabase("source"); // does nothing
      execute(postgres, "source", "create table t1 as select 42 as answer");
    }
    try (EmbeddedPostgres postgres = start()) {
      assertThat(postgres.port()).isEqualTo(port);
      assertThat(query(postgres, "source", "select answer from t1")).isEqualTo("42");
    }
  }

  @Test
  void killedServerStartsAgainWhileItsBackendsAreStillDying() throws Exception {
    EmbeddedPostgres killed = start();
    execute(killed, "postgres", "create table t2 as select 42 as answer");
    // A computation never waits, so its backend does not notice that the postmaster has died.
    Thread client =
        Thread.ofVirtual()
            .start(
                () ->
                    assertThatExceptionOfType(SQLException.class)
                        .isThrownBy(
                            () -> query(killed, "select count(*) from generate_series(1, 2e7)")));
    while (query(killed, "select count(*) from pg_stat_activity where query ~ '[g]enerate_series'")
        .equals("0")) {
      Thread.onSpinWait();
    }
    kill(killed);
    try (EmbeddedPostgres postgres = start()) {
      assertThat(query(postgres, "select answer from t2")).isEqualTo("42");
    }
    client.join();
  }

  @Test
  void serverLeftRunningByAKilledJvmIsReplaced() throws Exception {
    EmbeddedPostgres orphan = start();
    execute(orphan, "postgres", "create table t3 as select 42 as answer");
    ProcessHandle process = orphan.process();
    try (EmbeddedPostgres postgres = start()) {
      assertThat(process.onExit()).succeedsWithin(Duration.ofSeconds(10));
      assertThat(postgres.port()).isEqualTo(orphan.port());
      assertThat(query(postgres, "select answer from t3")).isEqualTo("42");
    }
  }

  @Test
  void pidFileWhoseNumberNowBelongsToAnotherProcessIsNoObstacle() throws Exception {
    EmbeddedPostgres killed = start();
    kill(killed);
    Path pidFile = folder.resolve("data/postmaster.pid");
    List<String> lines = Files.readAllLines(pidFile);
    Process unrelated = new ProcessBuilder("sleep", "60").start();
    try {
      lines.set(0, Long.toString(unrelated.pid()));
      Files.write(pidFile, lines);
      try (EmbeddedPostgres postgres = start()) {
        assertThat(query(postgres, "select 1")).isEqualTo("1");
      }
      assertThat(unrelated.isAlive()).isTrue();
    } finally {
      unrelated.destroyForcibly();
    }
  }

  @Test
  void takenPortIsReplaced() throws Exception {
    int port;
    try (EmbeddedPostgres postgres = start()) {
      port = postgres.port();
    }
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.ofLiteral("127.0.0.1"));
        EmbeddedPostgres postgres = start()) {
      assertThat(postgres.port()).isNotEqualTo(taken.getLocalPort());
      assertThat(query(postgres, "select 1")).isEqualTo("1");
    }
  }

  @Test
  void nobodyComesInWithoutThePasswordAndRolesGetTheirOwn() throws Exception {
    try (EmbeddedPostgres postgres = start()) {
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(
              () -> DriverManager.getConnection(postgres.jdbcUrl("postgres"), "postgres", "guess"))
          .withMessageContaining("password authentication failed");
      assertThat(postgres.setPassword("reader", "reader-password")).isFalse();
      execute(postgres, "postgres", "create role reader login");
      assertThat(postgres.setPassword("reader", "reader-password")).isTrue();
      DriverManager.getConnection(postgres.jdbcUrl("postgres"), "reader", "reader-password")
          .close();
    }
    assertThat(folder.resolve("superuser.password")).doesNotExist();
  }

  @Test
  void dataOfAnotherVersionIsRefused() throws Exception {
    assertThatExceptionOfType(InstallationException.class)
        .isThrownBy(() -> EmbeddedPostgres.start(new PostgresConfig(folder, 17, PASSWORD)))
        .withMessageContaining("is of PostgreSQL 18, not 17")
        .withMessageContaining("--pg 18");
    assertThat(EmbeddedPostgres.versionOf(folder)).hasValue(18);
  }

  @Test
  void settingThatTheServerRefusesIsShownWithItsLog() {
    assertThatExceptionOfType(InstallationException.class)
        .isThrownBy(
            () ->
                EmbeddedPostgres.start(
                    new PostgresConfig(folder, 18, PASSWORD, Map.of("wal_level", "no'ne"))))
        .withMessageContaining("did not start")
        .withMessageContaining("invalid value for parameter \"wal_level\": \"no'ne\"");
  }

  private static EmbeddedPostgres start() throws IOException {
    return EmbeddedPostgres.start(new PostgresConfig(folder, 18, PASSWORD));
  }

  private static void kill(EmbeddedPostgres postgres) throws IOException {
    ProcessHandle process = postgres.process();
    process.destroyForcibly();
    process.onExit().join();
  }

  private static void execute(EmbeddedPostgres postgres, String database, String sql)
      throws SQLException {
    try (Connection connection = postgres.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(EmbeddedPostgres postgres, String sql) throws SQLException {
    return query(postgres, "postgres", sql);
  }

  private static String query(EmbeddedPostgres postgres, String database, String sql)
      throws SQLException {
    try (Connection connection = postgres.connect(database);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertThat(row.next()).isTrue();
      return row.getString(1);
    }
  }
}
