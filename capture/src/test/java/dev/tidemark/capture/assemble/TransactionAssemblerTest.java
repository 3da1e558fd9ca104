package dev.tidemark.capture.assemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.Tenants;
import dev.tidemark.topics.log.Change;
import dev.tidemark.topics.log.Change.Operation;
import dev.tidemark.topics.log.LogRecord;
import dev.tidemark.topics.log.Relation;
import dev.tidemark.topics.log.Tuple;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.RouteFileParser;
import dev.tidemark.topics.route.TableName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TransactionAssemblerTest {

  private static final int RUN = 5;
  private static final TableName TABLE = new TableName("public", "hub");
  private static final Relation RELATION =
      new Relation(TABLE, List.of("id", "tenant"), List.of("int8", "text"), List.of(0));
  private static final RouteFile ROUTES =
      RouteFileParser.parse(
          "test.yaml",
          """
          slot: s
          publication: p
          partitions: 2
          routes:
            - table: public.hub
              tenant: tenant
              target: replica_hub
              columns:
                - { name: id, from: id, type: bigint }
          """);

  /** Two tenants of different partitions. */
  private static final String ZERO = tenantOf(0);

  private static final String ONE = tenantOf(1);

  private final List<List<LogRecord>> log = List.of(new ArrayList<>(), new ArrayList<>());
  private final List<Lsn> completed = new ArrayList<>();
  private int flushes;
  private final LogSink sink =
      new LogSink() {
        @Override
        public void append(int partition, LogRecord logRecord) {
          log.get(partition).add(logRecord);
        }

        @Override
        public void flush() {
          flushes++;
        }

        @Override
        public void completed(Lsn position) {
          completed.add(position);
        }
      };

  private TransactionAssembler assembler = resuming(1 << 20, TenantIdentity.ALWAYS_SENT);

  private static String tenantOf(int partition) {
    for (char c = 'a'; c <= 'z'; c++) {
      if (Tenants.partition(String.valueOf(c), 2) == partition) {
        return String.valueOf(c);
      }
    }
    throw new IllegalStateException("no letter hashes to " + partition);
  }

  private TransactionAssembler resuming(int maxPartBytes, TenantIdentity identity) {
    return TransactionAssembler.resuming(
        ROUTES, Map.of(TABLE, identity), 7, RUN, sink, maxPartBytes, lsn(1), Instant.EPOCH);
  }

  private static Lsn lsn(long value) {
    return new Lsn(value);
  }

  private static Tuple row(long id, @Nullable String tenant) {
    return Tuple.of(Long.toString(id), tenant);
  }

  private static Change insert(long id, @Nullable String tenant) {
    return new Change(Operation.INSERT, RELATION, null, row(id, tenant), lsn(5), id, id);
  }

  private void begin(long xid) {
    assembler.accept(new SourceEvent.Begin(xid, Instant.EPOCH));
  }

  private void rows(Change... changes) {
    for (Change change : changes) {
      assembler.accept(new SourceEvent.Row(change));
    }
  }

  private void commit(long lsn) {
    assembler.accept(new SourceEvent.Commit(lsn(lsn), Instant.EPOCH));
  }

  private static LogRecord part(long xid, int part, @Nullable Long commit, Change... changes) {
    return partAfter(0, xid, part, commit, changes);
  }

  private static LogRecord partAfter(
      long after, long xid, int part, @Nullable Long commit, Change... changes) {
    return new LogRecord.TransactionPart(
        7,
        RUN,
        lsn(after),
        xid,
        part,
        Optional.ofNullable(commit).map(Lsn::new),
        Instant.EPOCH,
        List.of(changes));
  }

  private static LogRecord progress(long lsn) {
    return progressAfter(0, lsn);
  }

  private static LogRecord progressAfter(long after, long lsn) {
    return new LogRecord.Progress(7, lsn(after), lsn(lsn), Instant.EPOCH);
  }

  @Test
  void aTransactionIsOneRecordInEachPartitionThatItTouches() {
    begin(100);
    rows(insert(1, ZERO), insert(2, ONE), insert(3, ZERO));
    commit(10);

    assertThat(log.get(0)).containsExactly(part(100, 0, 10L, insert(1, ZERO), insert(3, ZERO)));
    assertThat(log.get(1)).containsExactly(part(100, 0, 10L, insert(2, ONE)));
    assertThat(completed).containsExactly(lsn(10));
  }

  @Test
  void aPartitionWithoutRowsIsToldThePositionOnce() {
    begin(100);
    rows(insert(1, ZERO));
    commit(10);
    assembler.tellProgress();
    assembler.tellProgress();

    assertThat(log.get(1)).containsExactly(progress(10));
    assertThat(log.get(0)).hasSize(1);
  }

  @Test
  void nothingIsSaidOfAPositionInsideAnOpenTransaction() {
    begin(100);
    rows(insert(1, ZERO));
    assembler.tellProgress();
    commit(10);

    assertThat(log.get(0)).containsExactly(progress(1), part(100, 0, 10L, insert(1, ZERO)));
  }

  @Test
  void aLargeTransactionComesInPartsOfWhichTheLastHasThePosition() {
    assembler = resuming(60, TenantIdentity.ALWAYS_SENT);
    begin(100);
    rows(insert(1, ZERO), insert(2, ZERO), insert(3, ZERO));
    commit(10);

    assertThat(log.get(0))
        .containsExactly(
            progress(1),
            part(100, 0, null, insert(1, ZERO), insert(2, ZERO)),
            part(100, 1, 10L, insert(3, ZERO)));
  }

  @Test
  void whatCameBeforeALargeTransactionIsToldBeforeItsFirstPart() {
    begin(99);
    rows(insert(9, ONE));
    commit(8);
    assembler.tellProgress();
    log.get(0).clear();
    assembler = resuming(30, TenantIdentity.ALWAYS_SENT);
    begin(100);
    rows(insert(1, ZERO));
    assembler.tellProgress();

    assertThat(log.get(0)).containsExactly(progress(1), part(100, 0, null, insert(1, ZERO)));
  }

  @Test
  void aTransactionThatTheEngineStartsOverBeginsAgainAtPartZero() {
    assembler = resuming(30, TenantIdentity.ALWAYS_SENT);
    begin(100);
    rows(insert(1, ZERO));
    begin(100);
    rows(insert(1, ZERO));
    commit(10);

    assertThat(log.get(0))
        .containsExactly(
            progress(1),
            part(100, 0, null, insert(1, ZERO)),
            part(100, 0, null, insert(1, ZERO)),
            part(100, 1, 10L));
  }

  @Test
  void aRowThatMovesBetweenTenantsIsSentToBothPartitions() {
    Change move = new Change(Operation.UPDATE, RELATION, row(1, ZERO), row(1, ONE), lsn(5), 1, 1);
    begin(100);
    rows(move);
    commit(10);

    assertThat(log.get(0)).containsExactly(part(100, 0, 10L, move));
    assertThat(log.get(1)).containsExactly(part(100, 0, 10L, move));
  }

  @Test
  void aTruncationIsSentToEveryPartition() {
    Change truncate = new Change(Operation.TRUNCATE, RELATION, null, null, lsn(5), 1, 1);
    begin(100);
    rows(truncate);
    commit(10);

    assertThat(log.get(0)).containsExactly(part(100, 0, 10L, truncate));
    assertThat(log.get(1)).containsExactly(part(100, 0, 10L, truncate));
  }

  @Test
  void anUpdateWithoutItsOldRowIsRefusedWhereTheOldTenantWouldHaveToBeGuessed() {
    begin(100);
    assertThatThrownBy(
            () -> rows(new Change(Operation.UPDATE, RELATION, null, row(1, ONE), lsn(5), 1, 1)))
        .isInstanceOf(UnusableChangeException.class)
        .hasMessageContaining("alter table \"public\".\"hub\" replica identity full");
  }

  @Test
  void anUpdateWithoutItsOldRowKeptItsTenantWhereTheKeyHoldsIt() {
    assembler = resuming(1 << 20, TenantIdentity.SENT_WHEN_CHANGED);
    Change update = new Change(Operation.UPDATE, RELATION, null, row(1, ONE), lsn(5), 1, 1);
    begin(100);
    rows(update);
    commit(10);

    assertThat(log.get(1)).containsExactly(part(100, 0, 10L, update));
    assertThat(log.get(0)).isEmpty();
  }

  @Test
  void aMarkTellsEveryPartitionItsPosition() {
    assembler.accept(new SourceEvent.Mark(lsn(20), Instant.EPOCH));

    assertThat(log.get(0)).containsExactly(progress(20));
    assertThat(log.get(1)).containsExactly(progress(20));
    assertThat(completed).containsExactly(lsn(20));
  }

  @Test
  void aReplayedCommitDoesNotMoveThePositionBack() {
    assembler.accept(new SourceEvent.Mark(lsn(20), Instant.EPOCH));
    begin(100);
    commit(10);

    assertThat(assembler.position()).isEqualTo(lsn(20));
    assertThat(completed).containsExactly(lsn(20), lsn(20));
  }

  @Test
  void theSnapshotIsCompleteWhenTheStreamBegins() {
    assembler =
        TransactionAssembler.forSnapshot(
            ROUTES, Map.of(TABLE, TenantIdentity.ALWAYS_SENT), 7, RUN, sink, 1 << 20);
    Change existing = new Change(Operation.SNAPSHOT, RELATION, null, row(1, ZERO), lsn(4), 1, 1);
    assembler.accept(new SourceEvent.SnapshotRow(existing));
    assembler.tellProgress();
    assertThat(log.get(0)).isEmpty();
    assertThat(assembler.position()).isEqualTo(Lsn.ZERO);

    assembler.accept(new SourceEvent.Mark(lsn(20), Instant.EPOCH));

    assertThat(log.get(0))
        .containsExactly(
            new LogRecord.SnapshotRows(7, lsn(4), List.of(existing)),
            new LogRecord.SnapshotComplete(7, lsn(4), ROUTES.fingerprints()),
            progressAfter(4, 20));
    assertThat(log.get(1))
        .containsExactly(
            new LogRecord.SnapshotComplete(7, lsn(4), ROUTES.fingerprints()), progressAfter(4, 20));
    assertThat(flushes).describedAs("waits for the rows before it says that they are all").isOne();
  }

  @Test
  void theEndOfASnapshotWithoutRowsIsNamedByWhatFollows() {
    assembler =
        TransactionAssembler.forSnapshot(
            ROUTES, Map.of(TABLE, TenantIdentity.ALWAYS_SENT), 7, RUN, sink, 1 << 20);
    assembler.accept(new SourceEvent.Mark(lsn(20), Instant.EPOCH));

    assertThat(log.get(0))
        .containsExactly(
            new LogRecord.SnapshotComplete(7, lsn(1), ROUTES.fingerprints()), progressAfter(1, 20));
  }

  @Test
  void eachRecordNamesTheTransactionThatItsRunSentBefore() {
    begin(100);
    rows(insert(1, ZERO));
    commit(10);
    begin(101);
    rows(insert(2, ONE));
    commit(20);
    begin(102);
    rows(insert(3, ZERO));
    commit(30);
    assembler.tellProgress();

    assertThat(log.get(0))
        .containsExactly(
            part(100, 0, 10L, insert(1, ZERO)), partAfter(10, 102, 0, 30L, insert(3, ZERO)));
    assertThat(log.get(1))
        .containsExactly(part(101, 0, 20L, insert(2, ONE)), progressAfter(20, 30));
  }
}
