package dev.tidemark.tests.prove.faults;

import dev.tidemark.tests.prove.load.BulkWriter;
import dev.tidemark.tests.prove.load.Context;
import dev.tidemark.tests.prove.system.Database;
import dev.tidemark.tests.prove.system.Schema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;

/** Faults that are made with SQL. */
final class DatabaseFaults implements AutoCloseable {

  private static final int MANY = 1_000;
  private static final int FEW = 2;
  private static final long LONG_MS = 4_000;

  private final Context context;
  private final BulkWriter big;
  private final BulkWriter slow;
  private boolean asynchronous = true;
  private int columns;

  DatabaseFaults(Context context, long seed) {
    this.context = context;
    this.big = new BulkWriter(context, seed, MANY, 0);
    this.slow = new BulkWriter(context, seed + 1, FEW, LONG_MS);
  }

  void drop(Database database, String condition) throws SQLException {
    database.run("select pg_terminate_backend(pid) from pg_stat_activity where " + condition);
  }

  void lockWatermark(Random random) throws SQLException, InterruptedException {
    hold(
        "select 1 from tidemark_watermark where partition = "
            + random.nextInt(Schema.PARTITIONS)
            + " for update",
        random);
  }

  void lockTable(Random random) throws SQLException, InterruptedException {
    List<String> targets = Schema.targets();
    hold(
        "lock table "
            + targets.get(random.nextInt(targets.size()))
            + " in "
            + (random.nextBoolean() ? "share row exclusive" : "access exclusive")
            + " mode",
        random);
  }

  private void hold(String lock, Random random) throws SQLException, InterruptedException {
    try (Connection connection = context.tidemark().replica().connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(lock);
      Thread.sleep(300 + random.nextLong(1_500));
      connection.rollback();
    }
  }

  /** PostgreSQL's own delay before the flush of each commit. */
  void slowCommits(Random random) throws SQLException, InterruptedException {
    Database database =
        random.nextBoolean() ? context.tidemark().source() : context.tidemark().replica();
    database.run(
        "alter system set commit_siblings = 0",
        "alter system set commit_delay = " + (10_000 + random.nextInt(60_000)),
        "select pg_reload_conf()");
    try {
      Thread.sleep(2_000 + random.nextLong(2_000));
    } finally {
      database.run("alter system reset commit_delay", "select pg_reload_conf()");
    }
  }

  void switchAsynchronous() throws SQLException {
    asynchronous = !asynchronous;
    context.tidemark().source().run(asynchronous ? Schema.ASYNCHRONOUS : Schema.SYNCHRONOUS);
    drop(context.tidemark().source(), "application_name = 'tidemark-gateway'");
  }

  void longTransaction() {
    slow.write();
  }

  void bigTransaction() {
    big.write();
  }

  void addColumn(Random random) throws SQLException {
    String column = "extra_" + ++columns;
    alter(random, "add column " + column + " text default 'default of " + column + "'");
  }

  void dropColumn(Random random) throws SQLException {
    Schema.Kind kind = any(random);
    List<String> unmapped =
        context
            .tidemark()
            .source()
            .query(
                "select column_name from information_schema.columns where table_name = '"
                    + kind.table()
                    + "' and (column_name = 'spare' or column_name like 'extra%') limit 1");
    if (unmapped.isEmpty()) {
      addColumn(random);
    } else {
      alter(kind, "drop column " + unmapped.getFirst());
    }
  }

  private static Schema.Kind any(Random random) {
    return Schema.Kind.values()[random.nextInt(Schema.Kind.values().length)];
  }

  private void alter(Random random, String change) throws SQLException {
    alter(any(random), change);
  }

  private void alter(Schema.Kind kind, String change) throws SQLException {
    context
        .tidemark()
        .source()
        .run("set lock_timeout = '5s'", "alter table " + kind.table() + " " + change);
  }

  void changeUnrouted(Random random) throws SQLException {
    String table = Schema.UNROUTED;
    context
        .tidemark()
        .source()
        .run(
            "drop table if exists " + table,
            "create table " + table + " (id bigint primary key, note text)",
            "insert into " + table + " select n, md5(n::text) from generate_series(1, 2000) n",
            "alter table " + table + " add column more text default 'x'",
            "update " + table + " set more = note where id % " + (2 + random.nextInt(5)) + " = 0",
            "alter table " + table + " drop column note");
  }

  @Override
  public void close() {
    big.close();
    slow.close();
  }
}
