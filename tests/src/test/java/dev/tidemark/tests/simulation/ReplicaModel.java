package dev.tidemark.tests.simulation;

import dev.tidemark.projector.replica.FencedException;
import dev.tidemark.projector.replica.Quarantined;
import dev.tidemark.projector.replica.Replica;
import dev.tidemark.projector.replica.Stop;
import dev.tidemark.projector.replica.Watermark;
import dev.tidemark.projector.row.ReplicaTable;
import dev.tidemark.projector.row.RowKey;
import dev.tidemark.projector.row.RowOperation;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.route.Route;
import java.sql.Savepoint;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One partition of the replica database. */
final class ReplicaModel {

  static final ReplicaTable TABLE = table();

  /** Every row can be written, so that nothing is gone back to. */
  private static final Replica.Point NO_POINT =
      new Replica.Point(
          new Savepoint() {
            @Override
            public int getSavepointId() {
              return 0;
            }

            @Override
            public String getSavepointName() {
              return "";
            }
          },
          0);

  /** The key of a replica row. */
  record Key(String tenant, String id) {}

  /** A replica row. */
  record Row(String value, Lsn lsn, int generation) {}

  private final Mutant mutant;
  private Map<Key, Row> rows = Map.of();
  private Watermark watermark = new Watermark(0, "", Lsn.ZERO, -1, 0);
  private long epoch;

  ReplicaModel(Mutant mutant) {
    this.mutant = mutant;
  }

  private static ReplicaTable table() {
    Map<String, String> types = new LinkedHashMap<>();
    types.put("id", "bigint");
    types.put("v", "text");
    return ReplicaTable.of("replica_hub", List.of("id"), types);
  }

  Map<Key, Row> rows() {
    return rows;
  }

  Watermark watermark() {
    return watermark;
  }

  /** A read of all partitions goes by the lowest watermark: each of them includes it. */
  static void checkReadAcross(Mutant mutant, List<Watermark> seen) {
    int generation = seen.getFirst().generation();
    if (seen.stream().anyMatch(watermark -> watermark.generation() != generation)) {
      return;
    }
    Lsn served = seen.getFirst().lsn();
    for (Watermark watermark : seen) {
      boolean further = watermark.lsn().isAfter(served);
      served = further == (mutant == Mutant.MAXIMUM_INSTEAD_OF_MINIMUM) ? watermark.lsn() : served;
    }
    for (Watermark watermark : seen) {
      if (!watermark.lsn().reaches(served)) {
        throw new AssertionError("a read at " + served + " saw " + watermark);
      }
    }
  }

  /** A copy of this state, to go back to. */
  Runnable backup() {
    Map<Key, Row> rowsThen = rows;
    Watermark watermarkThen = watermark;
    return () -> {
      rows = rowsThen;
      watermark = watermarkThen;
      epoch++;
    };
  }

  Replica takeOver() {
    return new Session(++epoch, watermark);
  }

  private final class Session implements Replica {

    private final long ownEpoch;
    private Watermark seen;
    private @Nullable Map<Key, Row> changed;

    Session(long ownEpoch, Watermark seen) {
      this.ownEpoch = ownEpoch;
      this.seen = seen;
    }

    @Override
    public Map<String, ReplicaTable> tables() {
      return Map.of(TABLE.target(), TABLE);
    }

    @Override
    public Watermark watermark() {
      return seen;
    }

    private Map<Key, Row> changing() {
      if (changed == null) {
        changed = new HashMap<>(rows);
      }
      return changed;
    }

    @Override
    public void execute(RowOperation operation, Lsn lsn, int generation) {
      Map<Key, Row> all = changing();
      switch (operation) {
        case RowOperation.Upsert upsert ->
            all.put(key(upsert.tenant(), upsert.row()), row(upsert.row(), lsn, generation));
        case RowOperation.Delete delete -> all.remove(key(delete.tenant(), delete.key()));
        case RowOperation.Move move -> {
          all.remove(key(move.oldTenant(), move.key()));
          all.put(key(move.tenant(), move.row()), row(move.row(), lsn, generation));
        }
        case RowOperation.Truncate truncate -> all.clear();
        case RowOperation.Patch patch -> throw new IllegalStateException("every value is sent");
      }
    }

    private static Key key(String tenant, Map<String, @Nullable String> row) {
      return new Key(tenant, Objects.requireNonNull(row.get("id")));
    }

    private static Row row(Map<String, @Nullable String> row, Lsn lsn, int generation) {
      return new Row(Objects.requireNonNull(row.get("v")), lsn, generation);
    }

    @Override
    public void settle(Lsn commitLsn) {
      changing()
          .replaceAll(
              (key, row) ->
                  row.lsn().equals(PENDING)
                      ? new Row(row.value(), commitLsn, row.generation())
                      : row);
    }

    @Override
    public void flush() {}

    @Override
    public Point savepoint() {
      return NO_POINT;
    }

    @Override
    public void undo(Point point) {
      throw new IllegalStateException("every row can be written");
    }

    @Override
    public void release(Point point) {}

    @Override
    public void remove(RowKey key) {
      throw new IllegalStateException("every row can be written");
    }

    @Override
    public void quarantine(Quarantined change) {
      throw new IllegalStateException("every row can be written");
    }

    @Override
    public void completeGeneration(Iterable<Route> routes, int generation) {
      if (mutant != Mutant.GHOST_ROWS) {
        changing().values().removeIf(row -> row.generation() < generation);
      }
    }

    @Override
    public void commit(Watermark next, long events, @Nullable Instant sourceTime) {
      boolean fenced = epoch != ownEpoch || watermark.logOffset() != seen.logOffset();
      if (fenced && mutant != Mutant.UNFENCED_PROJECTOR) {
        rollback();
        throw new FencedException(0);
      }
      if (mutant == Mutant.WATERMARK_APART_FROM_ROWS) {
        // The rows follow with the next commit, or never.
        watermark = next;
        seen = next;
        if (events > 0) {
          return;
        }
      }
      if (changed != null) {
        rows = Map.copyOf(changed);
        changed = null;
      }
      watermark = next;
      seen = next;
    }

    @Override
    public void rollback() {
      changed = null;
    }

    @Override
    public void report(@Nullable Stop stop) {}

    @Override
    public void reportAside() {}

    @Override
    public long missedDeletes() {
      return 0;
    }
  }
}
