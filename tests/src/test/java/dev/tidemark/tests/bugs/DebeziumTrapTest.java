package dev.tidemark.tests.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.capture.assemble.SourceEvent;
import dev.tidemark.capture.engine.Engine;
import dev.tidemark.standalone.EmbeddedDatabase;
import dev.tidemark.tests.harness.Servers;
import dev.tidemark.tests.harness.TestPipeline;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.route.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.connect.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What Debezium 3.6.1 loses with its own offsets, or drops without a word: the engine as Tidemark
 * drives it, against a real slot, stopped in the middle of things and started again.
 */
class DebeziumTrapTest {

  private static final String NAME = "trap" + ProcessHandle.current().pid();

  private final Servers servers = Servers.shared();
  private final EmbeddedDatabase source = new EmbeddedDatabase(servers.source(), NAME);
  private final Recorder recorder = new Recorder();

  /** Keeps what comes, and the position up to which all of it has come. */
  private static final class Recorder implements Engine.Handler {

    private final List<String> rows = new CopyOnWriteArrayList<>();
    private final List<Lsn> commits = new CopyOnWriteArrayList<>();
    private volatile @Nullable Lsn stored;
    private volatile @Nullable Lsn storable;
    private volatile @Nullable RuntimeException failure;
    private volatile String failAt = "";

    @Override
    public Optional<Lsn> position() {
      return Optional.ofNullable(stored);
    }

    @Override
    public void accept(SourceEvent event) {
      switch (event) {
        case SourceEvent.Row row when row.change().after() != null -> {
          String id = String.valueOf(row.change().after().text(0));
          RuntimeException fault = failure;
          if (fault != null && id.equals(failAt)) {
            failure = null;
            throw fault;
          }
          rows.add(id);
        }
        case SourceEvent.Commit commit -> reached(commit.lsn());
        case SourceEvent.Mark mark -> reached(mark.lsn());
        default -> {}
      }
    }

    private void reached(Lsn lsn) {
      commits.add(lsn);
      storable = lsn;
    }

    @Override
    public Optional<Lsn> storable() {
      Optional<Lsn> position = Optional.ofNullable(storable);
      storable = null;
      return position;
    }

    @Override
    public void store(Lsn position) {
      stored = position;
    }

    void failOnce(String id, RuntimeException fault) {
      failAt = id;
      failure = fault;
    }
  }

  @BeforeEach
  void create() throws SQLException {
    source.cluster().createDatabase(source.name());
    run(
        "create table item(id int primary key, tenant text)",
        "create publication " + NAME + " for table item");
  }

  @AfterEach
  void drop() throws SQLException {
    run(
        "select pg_terminate_backend(active_pid, 10000) from pg_replication_slots where slot_name = '"
            + NAME
            + "' and active_pid is not null",
        "select pg_drop_replication_slot('" + NAME + "')");
    try (Connection connection = source.cluster().connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("drop database " + NAME + " with (force)");
    }
  }

  private void run(String... statements) throws SQLException {
    try (Connection connection = source.connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private Engine engine() {
    return new Engine(
        NAME,
        source.cluster().jdbcUrl(source.name()),
        "postgres",
        servers.secrets().password("postgres"),
        NAME,
        NAME,
        new LinkedHashSet<>(Set.of(new TableName("public", "item"))),
        recorder);
  }

  /** A row has come and its position is stored: there is something to go on after. */
  private void streams(String id) throws SQLException {
    awaitSlot();
    run("insert into item values (" + id + ")");
    await()
        .atMost(TestPipeline.LIMIT)
        .until(() -> recorder.rows.contains(id) && recorder.stored != null);
  }

  private void awaitSlot() {
    await().atMost(TestPipeline.LIMIT).until(() -> !activePid().isEmpty());
  }

  private String activePid() throws SQLException {
    try (Connection connection = source.connect();
        Statement statement = connection.createStatement();
        var row =
            statement.executeQuery(
                "select coalesce(active_pid::text, '') from pg_replication_slots where slot_name = '"
                    + NAME
                    + "'")) {
      return row.next() ? row.getString(1) : "";
    }
  }

  private static void failed(Engine engine) {
    await().atMost(TestPipeline.LIMIT).until(() -> engine.failure() != null);
  }

  private void arrived(String... ids) {
    await().atMost(TestPipeline.LIMIT).until(() -> recorder.rows.containsAll(List.of(ids)));
  }

  @Test
  @DisplayName("Rows that share one position all come again after a stop between them")
  void rowsThatShareOnePositionAllComeAgain() throws Exception {
    try (Engine first = engine()) {
      streams("0");
      recorder.failOnce("6", new IllegalStateException("stopped between the rows"));
      run("insert into item select i from generate_series(1, 10) i");
      failed(first);
    }
    assertThat(recorder.rows).containsExactly("0", "1", "2", "3", "4", "5");
    recorder.rows.clear();

    try (Engine second = engine()) {
      arrived("1", "2", "3", "4", "5", "6", "7", "8", "9", "10");
      assertThat(second.failure()).isNull();
    }
  }

  @Test
  @DisplayName("A transaction that was open across a stored commit comes whole")
  void aTransactionThatWasOpenAcrossAStoredCommitComesWhole() throws Exception {
    try (Connection open = source.connect();
        Statement statement = open.createStatement()) {
      try (Engine first = engine()) {
        awaitSlot();
        open.setAutoCommit(false);
        statement.execute("insert into item values (1), (2), (3)");
        streams("100");
        assertThat(first.failure()).isNull();
      }
      statement.execute("insert into item values (4), (5)");
      open.commit();
    }
    try (Engine second = engine()) {
      arrived("1", "2", "3", "4", "5");
      assertThat(second.failure()).isNull();
    }
  }

  @Test
  @DisplayName("A failure that Connect calls retriable ends the run, and its batch comes again")
  void aRetriableFailureDropsNothing() throws Exception {
    try (Engine first = engine()) {
      streams("0");
      recorder.failOnce("1", new RetriableException("Kafka is busy"));
      run("insert into item values (1)", "insert into item values (2)");
      failed(first);
      assertThat(recorder.rows).doesNotContain("2");
    }
    try (Engine second = engine()) {
      arrived("1", "2");
      assertThat(second.failure()).isNull();
    }
  }

  @Test
  @DisplayName("A lost connection ends the run instead of starting over unseen")
  void aLostConnectionEndsTheRun() throws Exception {
    try (Engine first = engine()) {
      streams("0");
      run("select pg_terminate_backend(" + activePid() + ", 10000)");
      failed(first);
    }
    try (Engine second = engine()) {
      awaitSlot();
      run("insert into item values (1)");
      arrived("1");
      assertThat(second.failure()).isNull();
    }
  }
}
