package dev.tidemark.tests.bench.workload;

import dev.tidemark.tests.bench.report.Result;
import dev.tidemark.tests.bench.system.Site;
import dev.tidemark.tests.bench.system.SystemKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * What the workloads of a run share.
 *
 * @param site for what is started
 * @param systems to measure, in this order
 * @param scale how much is done
 * @param progress takes a line for a person to read
 * @param results in the order in which they were measured
 */
public record Context(
    Site site,
    List<SystemKind> systems,
    Scale scale,
    Consumer<String> progress,
    List<Result> results) {

  /** Without results yet. */
  public Context(Site site, List<SystemKind> systems, Scale scale, Consumer<String> progress) {
    this(site, List.copyOf(systems), scale, progress, new ArrayList<>());
  }

  void say(Workload workload, SystemKind system, String format, Object... arguments) {
    progress.accept(
        workload.name()
            + ": "
            + system.text()
            + ": "
            + String.format(Locale.ROOT, format, arguments));
  }

  void add(Workload workload, SystemKind system, String metric, String unit, List<Double> rounds) {
    results.add(Result.of(workload.name(), system.text(), metric, unit, rounds));
  }

  /** Whether Tidemark is among the systems. */
  boolean hasTidemark() {
    return systems.contains(SystemKind.TIDEMARK);
  }
}
