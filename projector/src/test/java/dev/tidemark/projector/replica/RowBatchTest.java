package dev.tidemark.projector.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.projector.row.ReplicaTable;
import dev.tidemark.topics.Lsn;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RowBatchTest {

  private static final ReplicaTable TABLE = table();
  private static final Lsn FIRST = new Lsn(1);
  private static final Lsn SECOND = new Lsn(2);

  private final RowBatch batch = new RowBatch(TABLE);

  private static ReplicaTable table() {
    Map<String, String> types = new LinkedHashMap<>();
    types.put("id", "bigint");
    types.put("a", "text");
    types.put("b", "text");
    return ReplicaTable.of("replica_hub", List.of("id"), types);
  }

  private static Map<String, @Nullable String> key(String id) {
    return row(id, null, null);
  }

  /** A row with the columns that are given. */
  private static Map<String, @Nullable String> row(
      String id, @Nullable String a, @Nullable String b) {
    Map<String, @Nullable String> row = new HashMap<>();
    row.put("id", id);
    if (a != null) {
      row.put("a", a);
    }
    if (b != null) {
      row.put("b", b);
    }
    return row;
  }

  private <T extends RowBatch.Pending> List<T> all(Class<T> type) {
    return batch.byTenant(type).values().stream().flatMap(List::stream).toList();
  }

  @Test
  void theLastUpsertOfAKeyStays() {
    batch.upsert("t", row("1", "old", "old"), FIRST);
    batch.upsert("u", row("1", "other", "tenant"), FIRST);
    batch.upsert("t", row("1", "new", "new"), SECOND);

    assertThat(batch.upserts())
        .containsExactly(
            new RowBatch.Upsert("t", row("1", "new", "new"), SECOND),
            new RowBatch.Upsert("u", row("1", "other", "tenant"), FIRST));
  }

  @Test
  void aPatchJoinsTheRowThatIsUpserted() {
    batch.upsert("t", row("1", "old", "kept"), FIRST);
    batch.patch("t", row("1", "new", null), SECOND);

    assertThat(batch.upserts())
        .containsExactly(new RowBatch.Upsert("t", row("1", "new", "kept"), SECOND));
    assertThat(all(RowBatch.Patch.class)).isEmpty();
  }

  @Test
  void patchesOfAKeyJoin() {
    batch.patch("t", row("1", "old", null), FIRST);
    batch.patch("t", row("1", null, "new"), SECOND);

    assertThat(all(RowBatch.Patch.class))
        .containsExactly(new RowBatch.Patch("t", row("1", "old", "new"), SECOND));
  }

  @Test
  void aPatchOfADeletedRowMustFailBehindTheDelete() {
    batch.delete("t", key("1"));

    assertThat(batch.takesPatch("t", row("1", "new", null))).isFalse();
    assertThat(batch.takesPatch("u", row("1", "new", null))).isTrue();
  }

  @Test
  void aDeleteTakesEverythingBeforeItAway() {
    batch.upsert("t", row("1", "a", "b"), FIRST);
    batch.delete("t", key("1"));
    batch.patch("t", row("2", "a", null), FIRST);
    batch.delete("t", key("2"));

    assertThat(batch.upserts()).isEmpty();
    assertThat(all(RowBatch.Patch.class)).isEmpty();
    assertThat(all(RowBatch.Delete.class))
        .describedAs("the first was perhaps never in the table")
        .containsExactly(
            new RowBatch.Delete("t", key("1"), false), new RowBatch.Delete("t", key("2"), true));
  }

  @Test
  void aDeleteOfARowThatIsDeletedAlreadyIsCounted() {
    batch.delete("t", key("1"));
    batch.delete("t", key("1"));

    assertThat(all(RowBatch.Delete.class))
        .containsExactly(new RowBatch.Delete("t", key("1"), true));
    assertThat(batch.missed()).isEqualTo(1);
  }

  @Test
  void anUpsertBringsADeletedRowBack() {
    batch.delete("t", key("1"));
    batch.upsert("t", row("1", "a", "b"), FIRST);

    assertThat(batch.upserts()).hasSize(1);
    assertThat(all(RowBatch.Delete.class)).isEmpty();
  }

  @Test
  void whatALotOfOperationsComeToIsWhatTheyDoOneByOne() {
    Random random = new Random(5);
    Map<String, Map<String, @Nullable String>> rows = new HashMap<>();
    for (int i = 0; i < 2_000; i++) {
      String id = Integer.toString(random.nextInt(8));
      String value = Integer.toString(i);
      Map<String, @Nullable String> old = rows.get(id);
      switch (random.nextInt(3)) {
        case 0 -> {
          rows.put(id, row(id, value, value));
          batch.upsert("t", row(id, value, value), FIRST);
        }
        case 1 -> {
          if (old != null) {
            old.put("b", value);
            batch.patch("t", row(id, null, value), FIRST);
          }
        }
        default -> {
          rows.remove(id);
          batch.delete("t", key(id));
        }
      }
    }

    Map<String, Map<String, @Nullable String>> written = new HashMap<>();
    batch
        .upserts()
        .forEach(upsert -> written.put(String.valueOf(upsert.row().get("id")), upsert.row()));
    assertThat(written).isEqualTo(rows).isNotEmpty();
    assertThat(batch.size()).isLessThanOrEqualTo(8);
  }
}
