package dev.tidemark.tests.bench.workload;

import dev.tidemark.tests.bench.system.BareDebezium;
import dev.tidemark.tests.bench.system.Contender;
import dev.tidemark.tests.bench.system.Fill;
import dev.tidemark.tests.bench.system.TidemarkSystem;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Changes that wait in the slot, from the moment that they may be taken until all are visible. */
final class Drain implements Workload {

  private static final Duration LIMIT = Duration.ofMinutes(10);

  @Override
  public String name() {
    return "drain";
  }

  @Override
  public void run(Context context) throws Exception {
    measure(context, () -> TidemarkSystem.start(context.site()));
    measure(context, () -> BareDebezium.start(context.site(), BareDebezium.Tuning.THROUGHPUT));
  }

  private void measure(Context context, Callable<Contender> start) throws Exception {
    Contender system = context.site().start(start);
    for (SourceLoad.Shape shape : SourceLoad.Shape.values()) {
      List<Double> rates = new ArrayList<>();
      List<Double> cpu = new ArrayList<>();
      for (int round = 0; round <= context.scale().rounds(); round++) {
        SourceLoad.clear(system);
        int rows = round == 0 ? context.scale().warmDrained() : context.scale().drained();
        system.pause();
        Fill fill = SourceLoad.fill(system, shape, "d" + round + "-", rows);
        Contender.Cpu before = system.cpu();
        long begin = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        system.resume();
        long end = system.awaitAll(fill, LIMIT);
        Contender.Cpu used = system.cpu().since(before);
        double rate = rows * 1e6 / (end - begin);
        if (round > 0) {
          rates.add(rate);
          cpu.add(used.system() / 1e3 / rows);
          context.say(
              this,
              system.name(),
              "%s, round %d of %d: %.0f changes/s; CPU us/change: system %.1f, source %.1f, replica %.1f",
              shape.text(),
              round,
              context.scale().rounds(),
              rate,
              used.system() / 1e3 / rows,
              used.source() / 1e3 / rows,
              used.replica() / 1e3 / rows);
        }
      }
      context.add(this, system.name(), shape.text(), "changes/s", rates);
      context.add(this, system.name(), shape.text() + ", CPU", "us/change", cpu);
    }
    context.site().stop(system);
  }
}
