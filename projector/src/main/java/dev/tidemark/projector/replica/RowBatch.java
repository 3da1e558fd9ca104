package dev.tidemark.projector.replica;

import dev.tidemark.projector.row.ReplicaTable;
import dev.tidemark.topics.Lsn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done to one replica table before the next commit: of several operations on one key
 * what they come to together, since nobody sees the states between. So every key is here once, and
 * the order of the keys does not matter. Pure; not thread-safe.
 *
 * <pre>
 *   key has    and gets    becomes
 *   nothing    any         that
 *   any        upsert      the upsert
 *   upsert     patch       the upsert with the patch's columns
 *   patch      patch       the patch with the later one's columns
 *   delete     patch       nothing: the patch must fail, after this batch
 *   any        delete      a delete; behind an upsert of a row that need not be there
 * </pre>
 */
final class RowBatch {

  /** What one key has come to. */
  sealed interface Pending {
    /** Whose row it is. */
    String tenant();
  }

  /** The row with all of its columns. */
  record Upsert(String tenant, Map<String, @Nullable String> row, Lsn lsn) implements Pending {}

  /** Some columns of a row that must be there. */
  record Patch(String tenant, Map<String, @Nullable String> row, Lsn lsn) implements Pending {}

  /**
   * No row.
   *
   * @param expected whether there ought to be one
   */
  record Delete(String tenant, Map<String, @Nullable String> key, boolean expected)
      implements Pending {}

  private final ReplicaTable table;
  private final Map<List<@Nullable String>, Pending> keys = new LinkedHashMap<>();
  private long weight;
  private long missed;

  RowBatch(ReplicaTable table) {
    this.table = table;
  }

  /** The table that all of it is for. */
  ReplicaTable table() {
    return table;
  }

  void upsert(String tenant, Map<String, @Nullable String> row, Lsn lsn) {
    keys.put(key(tenant, row), new Upsert(tenant, row, lsn));
    weigh(row);
  }

  /** Whether a patch of the key can join; else what is here must be executed before it. */
  boolean takesPatch(String tenant, Map<String, @Nullable String> row) {
    return !(keys.get(key(tenant, row)) instanceof Delete);
  }

  void patch(String tenant, Map<String, @Nullable String> row, Lsn lsn) {
    keys.merge(
        key(tenant, row), new Patch(tenant, row, lsn), (before, patch) -> join(before, row, lsn));
    weigh(row);
  }

  private static Pending join(Pending before, Map<String, @Nullable String> row, Lsn lsn) {
    return switch (before) {
      case Upsert upsert -> new Upsert(upsert.tenant(), joined(upsert.row(), row), lsn);
      case Patch patch -> new Patch(patch.tenant(), joined(patch.row(), row), lsn);
      case Delete delete -> throw new IllegalStateException("a patch of a row that was deleted");
    };
  }

  private static Map<String, @Nullable String> joined(
      Map<String, @Nullable String> earlier, Map<String, @Nullable String> later) {
    Map<String, @Nullable String> row = new HashMap<>(earlier);
    row.putAll(later);
    return row;
  }

  void delete(String tenant, Map<String, @Nullable String> key) {
    Pending before = keys.put(key(tenant, key), new Delete(tenant, key, true));
    switch (before) {
      case Upsert upsert -> keys.put(key(tenant, key), new Delete(tenant, key, false));
      case Delete again -> {
        missed++;
        keys.put(key(tenant, key), again);
      }
      case Patch patch -> {}
      case null -> {}
    }
    weigh(key);
  }

  /** Everything of the type, tenant by tenant in the order in which they came. */
  <T extends Pending> Map<String, List<T>> byTenant(Class<T> type) {
    Map<String, List<T>> found = new LinkedHashMap<>();
    for (Pending pending : keys.values()) {
      if (type.isInstance(pending)) {
        found
            .computeIfAbsent(pending.tenant(), tenant -> new ArrayList<>())
            .add(type.cast(pending));
      }
    }
    return found;
  }

  /** The upserts. */
  List<Upsert> upserts() {
    List<Upsert> upserts = new ArrayList<>(keys.size());
    for (Pending pending : keys.values()) {
      if (pending instanceof Upsert upsert) {
        upserts.add(upsert);
      }
    }
    return upserts;
  }

  /** How many deletes were of rows that an earlier one had deleted. */
  long missed() {
    return missed;
  }

  /** How many keys there are. */
  int size() {
    return keys.size();
  }

  /** Roughly the bytes of what was added. */
  long weight() {
    return weight;
  }

  private void weigh(Map<String, @Nullable String> row) {
    for (String value : row.values()) {
      weight += value == null ? 1 : value.length();
    }
  }

  private List<@Nullable String> key(String tenant, Map<String, @Nullable String> row) {
    @Nullable String[] key = new @Nullable String[1 + table.key().size()];
    key[0] = tenant;
    for (int i = 1; i < key.length; i++) {
      key[i] = row.get(table.key().get(i - 1));
    }
    return Arrays.asList(key);
  }
}
