package dev.tidemark.tests.bench.workload;

import dev.tidemark.tests.bench.system.Contender;
import dev.tidemark.tests.bench.system.Documents;
import dev.tidemark.tests.bench.system.SystemKind;
import java.time.Duration;

/**
 * Rows that are on the source before a system is, from the making of its slot until all of them are
 * visible.
 */
final class Snapshot implements Workload {

  private static final Duration LIMIT = Duration.ofMinutes(10);

  @Override
  public String name() {
    return "snapshot";
  }

  @Override
  public void run(Context context) throws Exception {
    for (SystemKind kind : context.systems()) {
      if (!kind.takesSnapshots()) {
        continue;
      }
      Figures figures = new Figures();
      int rows = context.scale().snapshotRows(kind);
      int rounds = context.scale().snapshotRounds();
      for (int round = 1; round <= rounds; round++) {
        Contender system = kind.startOn(context.site(), rows);
        long end = system.awaitAll(Documents.asFill(rows), LIMIT);
        double perSecond = rows * 1e6 / (end - system.followedSince());
        figures.add("rows", "rows/s", perSecond);
        context.say(
            this, kind, "%d rows, round %d of %d: %.0f rows/s", rows, round, rounds, perSecond);
        context.site().stop(system);
      }
      figures.report(context, this, kind);
    }
  }
}
