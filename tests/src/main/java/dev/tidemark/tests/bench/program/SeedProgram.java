package dev.tidemark.tests.bench.program;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The loop that Tidemark's idea comes from, written afresh from its description: every 50 ms peek
 * at what is new in the slot, upsert the rows one by one and a watermark with them in one
 * transaction, then advance the slot. Its arguments are the JDBC URLs of source and replica, the
 * slot and the publication. Commands: {@code start}, {@code stop}, {@code state}.
 */
public final class SeedProgram {

  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration WATERMARK_EVERY = Duration.ofSeconds(1);
  private static final String DOCTYPE = "Waybill";

  private static final String PEEK =
      "select data from pg_logical_slot_peek_binary_changes(?, ?::pg_lsn, null, 'proto_version',"
          + " '1', 'publication_names', ?)";

  private static final String UPSERT =
      "insert into replica_waybill (tenant_id, name, order_name, ops_status, current_hub,"
          + " receiver_name, scans, updated_at) select ?, ?, d->>'order', d->>'ops_status',"
          + " d->>'current_hub', d->>'receiver_name', jsonb_array_length(d->'scan_log'), now() from"
          + " (select ?::jsonb as d) s on conflict (tenant_id, name) do update set order_name ="
          + " excluded.order_name, ops_status = excluded.ops_status, current_hub ="
          + " excluded.current_hub, receiver_name = excluded.receiver_name, scans ="
          + " excluded.scans, updated_at = now()";

  private static final String WATERMARK =
      "insert into sync_watermark (slot, last_lsn, events, updated_at) values (?, ?::pg_lsn, ?,"
          + " now()) on conflict (slot) do update set last_lsn = excluded.last_lsn, events ="
          + " sync_watermark.events + excluded.events, updated_at = now()";

  private final String slot;
  private final String publication;
  private final Connection source;
  private final Connection replica;
  private final PreparedStatement peek;
  private final PreparedStatement bind;
  private final PreparedStatement upsert;
  private final PreparedStatement watermark;
  private final PreparedStatement advance;
  private final PgOutput decoder = new PgOutput("tidemark_doc");
  private long watermarkNanos = System.nanoTime();
  private volatile boolean stopped;
  private volatile @Nullable String failure;
  private @Nullable Thread thread;

  private SeedProgram(String sourceUrl, String replicaUrl, String slot, String publication)
      throws SQLException {
    this.slot = slot;
    this.publication = publication;
    this.source = DriverManager.getConnection(sourceUrl);
    this.replica = DriverManager.getConnection(replicaUrl);
    replica.setAutoCommit(false);
    this.peek = source.prepareStatement(PEEK);
    this.advance = source.prepareStatement("select pg_replication_slot_advance(?, ?::pg_lsn)");
    this.bind = replica.prepareStatement("select set_config('app.tenant', ?, true)");
    this.upsert = replica.prepareStatement(UPSERT);
    this.watermark = replica.prepareStatement(WATERMARK);
  }

  /** The entry of the JVM. */
  public static void main(String[] arguments) throws IOException, SQLException {
    SeedProgram program = new SeedProgram(arguments[0], arguments[1], arguments[2], arguments[3]);
    new Commands().serve(program::obey);
    System.exit(0);
  }

  private String obey(String command) throws InterruptedException {
    switch (command) {
      case "start" -> {
        stopped = false;
        thread = Thread.ofPlatform().name("seed-loop").start(this::loop);
      }
      case "stop" -> {
        stopped = true;
        Thread running = thread;
        if (running != null) {
          running.join();
        }
      }
      case "state" -> {
        String problem = failure;
        return problem == null ? "done" : "failed " + problem;
      }
      default -> throw new IllegalArgumentException("unknown command " + command);
    }
    return "done";
  }

  private void loop() {
    try {
      while (!stopped) {
        turn();
        Thread.sleep(PAUSE);
      }
    } catch (SQLException | RuntimeException e) {
      e.printStackTrace();
      failure = e.toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void turn() throws SQLException {
    String position = position();
    peek.setString(1, slot);
    peek.setString(2, position);
    peek.setString(3, publication);
    long applied = 0;
    try (ResultSet changes = peek.executeQuery()) {
      while (changes.next()) {
        PgOutput.Row row = decoder.decode(changes.getBytes(1));
        if (row != null && DOCTYPE.equals(row.text("doctype"))) {
          apply(row);
          applied++;
        }
      }
    }
    if (applied > 0 || System.nanoTime() - watermarkNanos >= WATERMARK_EVERY.toNanos()) {
      watermark.setString(1, slot);
      watermark.setString(2, position);
      watermark.setLong(3, applied);
      watermark.executeUpdate();
      watermarkNanos = System.nanoTime();
    }
    replica.commit();
    advance.setString(1, slot);
    advance.setString(2, position);
    advance.executeQuery().close();
  }

  private String position() throws SQLException {
    try (Statement statement = source.createStatement();
        ResultSet row = statement.executeQuery("select pg_current_wal_lsn()")) {
      row.next();
      return row.getString(1);
    }
  }

  private void apply(PgOutput.Row row) throws SQLException {
    bind.setString(1, row.text("tenant_id"));
    bind.executeQuery().close();
    upsert.setString(1, row.text("tenant_id"));
    upsert.setString(2, row.text("name"));
    upsert.setString(3, row.text("data"));
    upsert.executeUpdate();
  }
}
