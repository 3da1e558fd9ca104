package dev.tidemark.tests.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tidemark.client.Position;
import dev.tidemark.client.jdbc.OpenTransactionException;
import dev.tidemark.client.jdbc.TxPosition;
import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import dev.tidemark.tests.harness.Servers;
import dev.tidemark.tests.harness.TestPipeline;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Positions that a service reads after its own commits, compared with the commits themselves. */
class TxPositionTest {

  private static final String ROUTES =
      """
      partitions: 1
      routes:
        - table: t
          target: replica_t
          columns:
            - { name: id, from: id }
      """;

  private static final AtomicInteger IDS = new AtomicInteger();

  private static TestPipeline pipeline;
  private static HikariDataSource pool;

  @BeforeAll
  static void start() throws Exception {
    pipeline = TestPipeline.start(ROUTES, "create table t(id int primary key)");
    pipeline.catchUp(); // rows of the snapshot do not tell their commits
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(pipeline.sourceDatabase().jdbcUrl());
    config.setUsername(EmbeddedPostgres.SUPERUSER);
    config.setPassword(Servers.shared().secrets().password(EmbeddedPostgres.SUPERUSER));
    config.setMaximumPoolSize(4);
    // Commits that wait for no disk are where a position of the written or flushed log is too low.
    config.setConnectionInitSql("set synchronous_commit = off");
    pool = new HikariDataSource(config);
  }

  @AfterAll
  static void stop() throws Exception {
    pool.close();
    pipeline.close();
  }

  /** How a service commits, and then asks. */
  enum Way {
    AUTO_COMMIT {
      @Override
      Position write(Connection connection, int id) throws SQLException {
        insert(connection, id);
        return TxPosition.afterCommit(connection);
      }
    },
    MANUAL_COMMIT {
      @Override
      Position write(Connection connection, int id) throws SQLException {
        connection.setAutoCommit(false);
        insert(connection, id);
        connection.commit();
        return TxPosition.afterCommit(connection);
      }
    },
    OTHER_CONNECTION {
      @Override
      Position write(Connection connection, int id) throws SQLException {
        insert(connection, id);
        return TxPosition.afterCommit(pool);
      }
    };

    abstract Position write(Connection connection, int id) throws SQLException;
  }

  private static void insert(Connection connection, int id) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("insert into t values (" + id + ")");
    }
  }

  @ParameterizedTest
  @EnumSource
  void noPositionIsBeforeItsCommit(Way way) throws Exception {
    Map<Integer, Position> tokens = new ConcurrentHashMap<>();
    List<Callable<Void>> writers = new ArrayList<>();
    for (int writer = 0; writer < 2; writer++) {
      writers.add(
          () -> {
            for (int i = 0; i < 300; i++) {
              int id = IDS.incrementAndGet();
              try (Connection connection = pool.getConnection()) {
                tokens.put(id, way.write(connection, id));
              }
            }
            return null;
          });
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      for (Future<Void> writer : threads.invokeAll(writers)) {
        writer.get();
      }
    }

    Map<Integer, Position> commits = commits();
    commits.keySet().retainAll(tokens.keySet());
    assertThat(commits)
        .hasSize(600)
        .allSatisfy((id, commit) -> assertThat(tokens.get(id)).isGreaterThanOrEqualTo(commit));
  }

  /** The commit of each row, as capture saw it in the log. */
  private static Map<Integer, Position> commits() throws SQLException {
    pipeline.catchUp();
    Map<Integer, Position> commits = new HashMap<>();
    for (String row : pipeline.replica("select id || ' ' || source_lsn from replica_t")) {
      String[] parts = row.split(" ");
      commits.put(Integer.parseInt(parts[0]), Position.parse(parts[1]));
    }
    return commits;
  }

  @Test
  void aPositionFromInsideTheTransactionIsRefusedSinceItIsBeforeTheCommit() throws Exception {
    int id = IDS.incrementAndGet();
    Position inside;
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      insert(connection, id);

      assertThatThrownBy(() -> TxPosition.afterCommit(connection))
          .isInstanceOf(OpenTransactionException.class)
          .hasMessageContaining("a transaction is open on this connection");

      inside = insertPosition(connection);
      connection.commit();
    }

    assertThat(commits()).hasEntrySatisfying(id, it -> assertThat(inside.reaches(it)).isFalse());
  }

  private static Position insertPosition(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select pg_current_wal_insert_lsn()::text")) {
      row.next();
      return Position.parse(row.getString(1));
    }
  }

  @Test
  void aTransactionThatHasOnlyReadSoFarIsRefusedToo() throws Exception {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      insertPosition(connection);

      assertThatThrownBy(() -> TxPosition.afterCommit(connection))
          .isInstanceOf(OpenTransactionException.class);

      connection.rollback();
    }
  }

  @Test
  void aTransactionThatSqlBeganIsRefusedToo() throws Exception {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("begin");
      assertThatThrownBy(() -> TxPosition.afterCommit(connection))
          .isInstanceOf(OpenTransactionException.class);
      statement.execute("rollback");
    }
  }

  @Test
  void aFailedTransactionIsRefusedToo() throws Exception {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      int id = IDS.incrementAndGet();
      insert(connection, id);
      assertThatThrownBy(() -> insert(connection, id)).isInstanceOf(SQLException.class);

      assertThatThrownBy(() -> TxPosition.afterCommit(connection))
          .isInstanceOf(OpenTransactionException.class);

      connection.rollback();
    }
  }

  @Test
  void theConnectionIsLeftWithoutATransaction() throws Exception {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      insert(connection, IDS.incrementAndGet());
      connection.commit();
      TxPosition.afterCommit(connection);

      // JDBC refuses this inside of a transaction.
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      assertThat(connection.getAutoCommit()).isFalse();
    }
  }

  @Test
  void anotherDriverIsAskedInAutoCommitModeOnly() throws Exception {
    try (Connection connection = pool.getConnection()) {
      Connection foreign = hidden(connection);
      assertThat(TxPosition.afterCommit(foreign)).isNotNull();

      connection.setAutoCommit(false);
      assertThatThrownBy(() -> TxPosition.afterCommit(foreign))
          .isInstanceOf(OpenTransactionException.class)
          .hasMessageContaining("PostgreSQL JDBC Driver")
          .hasMessageContaining("setAutoCommit(true)");
    }
  }

  /** The connection as one that cannot be asked for its driver. */
  private static Connection hidden(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            TxPositionTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("isWrapperFor")) {
                return false;
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
