package dev.tidemark.capture.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.capture.state.SourceTable.Column;
import dev.tidemark.capture.state.SourceTable.Part;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What makes a table's rows wrong without a word in the stream, and what does not. */
@DisplayName("B11 a table behind the stream's back")
class SourceTableTest {

  private static final Column ID = new Column("id", "1 bigint 0", "700");
  private static final Column LABEL = new Column("label", "2 text 100", "700");
  private static final Part PART = new Part(5, "f", 7, false);
  private static final SourceTable TABLE = table(ID, LABEL);

  private static SourceTable table(Column... columns) {
    return new SourceTable(1, 2, "f", 3, List.of(columns), List.of(PART));
  }

  private static void assertDifferent(SourceTable now, String reason) {
    assertThat(TABLE.difference(now).orElse("nothing")).contains(reason);
  }

  private static void assertSame(SourceTable now) {
    assertThat(TABLE.difference(now)).isEmpty();
  }

  @Test
  void anotherTableOrNone() {
    assertDifferent(new SourceTable(9, 2, "f", 3, TABLE.columns(), TABLE.parts()), "another table");
    assertDifferent(new SourceTable(0, 0, "", 0, List.of(), List.of()), "is gone");
  }

  @Test
  void anotherEntryOfThePublication() {
    assertDifferent(
        new SourceTable(1, 0, "f", 3, TABLE.columns(), TABLE.parts()), "not in the publication");
    assertDifferent(new SourceTable(1, 9, "f", 3, TABLE.columns(), TABLE.parts()), "put back");
  }

  @Test
  void anotherReplicaIdentity() {
    assertDifferent(
        new SourceTable(1, 2, "d", 3, TABLE.columns(), TABLE.parts()), "replica identity");
  }

  @Test
  void columnsThatAreGoneOrOfAnotherType() {
    assertDifferent(table(ID), "no column `label`");
    assertDifferent(table(ID, new Column("label", "2 integer 0", "701")), "another column `label`");
    assertDifferent(table(ID, new Column("label", "9 text 100", "701")), "another column `label`");
  }

  @Test
  void valuesAreRewrittenWhereBothTheDefinitionAndTheFileChanged() {
    Column touched = new Column("label", "2 text 100", "701");
    assertDifferent(
        new SourceTable(1, 2, "f", 9, List.of(ID, touched), TABLE.parts()), "rewritten");
    // set not null, set statistics, set default
    assertSame(table(ID, touched));
    // truncate, vacuum full, cluster
    assertSame(new SourceTable(1, 2, "f", 9, TABLE.columns(), TABLE.parts()));
  }

  private static SourceTable parted(Part... parts) {
    return new SourceTable(1, 2, "f", 3, TABLE.columns(), List.of(parts));
  }

  @Test
  void partitionsBringAndTakeRows() {
    assertDifferent(parted(PART, new Part(6, "f", 7, false)), "brought its rows");
    assertSame(parted(PART, new Part(6, "f", 7, true)));
    assertDifferent(parted(), "lost a partition");
    assertDifferent(parted(new Part(5, "f", 8, false)), "truncated");
  }

  @Test
  void aNewPartitionHasTheReplicaIdentityOfTheOthers() {
    assertDifferent(parted(PART, new Part(6, "d", 7, true)), "another replica identity");
    assertDifferent(parted(new Part(5, "d", 7, false)), "another replica identity");
    assertThat(
            parted(new Part(5, "d", 7, false))
                .difference(parted(new Part(5, "d", 7, false), new Part(6, "d", 7, true))))
        .isEmpty();
  }
}
