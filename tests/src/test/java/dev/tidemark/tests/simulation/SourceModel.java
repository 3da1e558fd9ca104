package dev.tidemark.tests.simulation;

import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.Tenants;
import dev.tidemark.topics.log.Change;
import dev.tidemark.topics.log.Change.Operation;
import dev.tidemark.topics.log.Relation;
import dev.tidemark.topics.log.Tuple;
import dev.tidemark.topics.route.TableName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A database with one table and a log. Transactions overlap, so that the positions of their rows
 * are in another order than those of their commits.
 */
final class SourceModel {

  static final TableName TABLE = new TableName("public", "hub");
  static final Relation RELATION =
      new Relation(
          TABLE, List.of("id", "tenant", "v"), List.of("int8", "text", "text"), List.of(0));
  static final int PARTITIONS = 3;

  private static final int KEYS = 7;
  private static final List<String> TENANTS = List.of("a", "b", "c", "d", "e");
  private static final int[] PARTITION_OF =
      TENANTS.stream().mapToInt(tenant -> Tenants.partition(tenant, PARTITIONS)).toArray();

  /** A row of the table. */
  record Row(String tenant, String value) {
    int partition() {
      return PARTITION_OF[TENANTS.indexOf(tenant)];
    }
  }

  /** What the log holds, in the order in which the slot delivers it. */
  sealed interface Entry {
    long lsn();
  }

  record Transaction(long lsn, long xid, List<Change> changes) implements Entry {}

  record Beacon(long lsn) implements Entry {}

  private static final class Open {
    private final long xid;
    private final List<Change> changes = new ArrayList<>();
    private final Map<Integer, @Nullable Row> rows = new HashMap<>();

    Open(long xid) {
      this.xid = xid;
    }
  }

  private final RandomGenerator random;
  private final List<Open> open = new ArrayList<>();
  private final List<Entry> wal = new ArrayList<>();
  private TreeMap<Long, Map<Integer, Row>> states = new TreeMap<>();
  private Map<Integer, Row> rows = new HashMap<>();
  private long end = 1;
  private long values;
  private long xids = 100;
  private int timeline = 1;

  SourceModel(RandomGenerator random) {
    this.random = random;
    states.put(end, Map.of());
  }

  List<Entry> wal() {
    return wal;
  }

  long end() {
    return end;
  }

  int timeline() {
    return timeline;
  }

  /** The rows as of every commit of this timeline. */
  TreeMap<Long, Map<Integer, Row>> states() {
    return states;
  }

  Map<Integer, Row> rows() {
    return rows;
  }

  static Tuple tuple(int id, Row row) {
    return Tuple.of(Integer.toString(id), row.tenant(), row.value());
  }

  /** Something that a client does. */
  void work() {
    if (open.isEmpty() || open.size() < 2 && random.nextInt(3) == 0) {
      open.add(new Open(++xids));
    }
    Open transaction = open.get(random.nextInt(open.size()));
    if (transaction.changes.size() > random.nextInt(8)) {
      open.remove(transaction);
      commit(transaction);
    } else {
      change(transaction);
    }
  }

  private void change(Open transaction) {
    boolean alone = open.size() == 1;
    if (alone && random.nextInt(25) == 0) {
      add(transaction, Operation.TRUNCATE, null, null);
      for (int id = 0; id < KEYS; id++) {
        transaction.rows.put(id, null);
      }
      return;
    }
    int id = random.nextInt(KEYS);
    for (Open other : open) {
      if (other != transaction && (other.rows.containsKey(id) || other.rows.size() == KEYS)) {
        return;
      }
    }
    Row before = transaction.rows.containsKey(id) ? transaction.rows.get(id) : rows.get(id);
    Row after = new Row(TENANTS.get(random.nextInt(TENANTS.size())), "v" + ++values);
    if (before == null) {
      add(transaction, Operation.INSERT, null, tuple(id, after));
    } else if (random.nextInt(4) == 0) {
      after = null;
      add(transaction, Operation.DELETE, tuple(id, before), null);
    } else {
      after = random.nextBoolean() ? after : new Row(before.tenant(), after.value());
      add(transaction, Operation.UPDATE, tuple(id, before), tuple(id, after));
    }
    transaction.rows.put(id, after);
  }

  private void add(
      Open transaction, Operation operation, @Nullable Tuple before, @Nullable Tuple after) {
    int order = transaction.changes.size() + 1;
    transaction.changes.add(
        new Change(operation, RELATION, before, after, new Lsn(end), order, order));
    end += 2;
  }

  private void commit(Open transaction) {
    end += 2;
    Map<Integer, Row> next = new HashMap<>(rows);
    transaction.rows.forEach(
        (id, row) -> {
          if (row == null) {
            next.remove(id);
          } else {
            next.put(id, row);
          }
        });
    rows = next;
    states.put(end, next);
    wal.add(new Transaction(end, transaction.xid, List.copyOf(transaction.changes)));
  }

  /** Moves the log without a word to the slot. */
  void otherWork() {
    end += 3;
  }

  void beacon() {
    end += 1;
    wal.add(new Beacon(end));
  }

  /** Another server goes on, which never got the newest commits. */
  void failOver() {
    open.clear();
    List<Long> commits = new ArrayList<>(states.keySet());
    long kept = commits.get(Math.max(0, commits.size() - 1 - random.nextInt(3)));
    states = new TreeMap<>(states.headMap(kept, true));
    rows = states.lastEntry().getValue();
    wal.removeIf(entry -> entry.lsn() > kept);
    end = kept + 1;
    timeline++;
  }
}
