package dev.tidemark.tests.bench.workload;

import dev.tidemark.tests.bench.system.Contender;
import dev.tidemark.tests.bench.system.Fill;
import dev.tidemark.tests.bench.system.SystemKind;
import dev.tidemark.tests.bench.system.Tuning;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Changes that wait in the slot, from the moment that they may be taken until all are visible. */
final class Drain implements Workload {

  private static final Duration LIMIT = Duration.ofMinutes(10);

  @Override
  public String name() {
    return "drain";
  }

  @Override
  public void run(Context context) throws Exception {
    for (SystemKind kind : context.systems()) {
      Contender system = kind.start(context.site(), Tuning.THROUGHPUT);
      for (SourceLoad.Shape shape : SourceLoad.Shape.values()) {
        SourceLoad.clear(system);
        drain(system, shape, "w-", context.scale().warmDrained());
        Figures figures = new Figures();
        int rows = context.scale().drained(kind);
        int rounds = context.scale().drainRounds(kind);
        for (int round = 1; round <= rounds; round++) {
          SourceLoad.clear(system);
          Drained drained = drain(system, shape, "d" + round + "-", rows);
          figures.add(shape.text(), "changes/s", drained.perSecond());
          figures.add(shape.text() + ", CPU", "us/change", drained.cpuMicros());
          context.say(
              this,
              kind,
              "%d changes in %s, round %d of %d: %.0f changes/s; CPU us/change: system %.1f,"
                  + " source %.1f, replica %.1f",
              rows,
              shape.text(),
              round,
              rounds,
              drained.perSecond(),
              drained.used().system() / 1e3 / rows,
              drained.used().source() / 1e3 / rows,
              drained.used().replica() / 1e3 / rows);
        }
        figures.report(context, this, kind);
      }
      context.site().stop(system);
    }
  }

  /**
   * One round.
   *
   * @param rows changes that waited
   * @param micros until the last was visible
   * @param used CPU time meanwhile
   */
  private record Drained(int rows, long micros, Contender.Cpu used) {

    double perSecond() {
      return rows * 1e6 / micros;
    }

    double cpuMicros() {
      return used.total() / 1e3 / rows;
    }
  }

  private static Drained drain(Contender system, SourceLoad.Shape shape, String prefix, int rows)
      throws Exception {
    system.pause();
    Fill fill = SourceLoad.fill(system, shape, prefix, rows);
    Contender.Cpu before = system.cpu();
    long begin = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    system.resume();
    long end = system.awaitAll(fill, LIMIT);
    return new Drained(rows, end - begin, system.cpu().since(before));
  }
}
