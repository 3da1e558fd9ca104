package dev.tidemark.tests.bench.workload;

import dev.tidemark.tests.bench.report.Result;
import dev.tidemark.tests.bench.system.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What the workloads of a run share.
 *
 * @param site for what is started
 * @param scale how much is done
 * @param progress takes a line for a person to read
 * @param results in the order in which they were measured
 */
public record Context(Site site, Scale scale, Consumer<String> progress, List<Result> results) {

  /** Without results yet. */
  public Context(Site site, Scale scale, Consumer<String> progress) {
    this(site, scale, progress, new ArrayList<>());
  }

  void say(Workload workload, String system, String format, Object... arguments) {
    progress.accept(
        workload.name()
            + ": "
            + system
            + ": "
            + String.format(java.util.Locale.ROOT, format, arguments));
  }

  void add(Workload workload, String system, String metric, String unit, List<Double> rounds) {
    results.add(Result.of(workload.name(), system, metric, unit, rounds));
  }
}
