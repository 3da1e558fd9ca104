package dev.tidemark.tests.bench.workload;

import dev.tidemark.standalone.client.GatewayClient;
import dev.tidemark.tests.bench.report.Statistics;
import dev.tidemark.tests.bench.system.Fill;
import dev.tidemark.tests.bench.system.SeparateRoles;
import dev.tidemark.tests.bench.system.SystemKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Each role alone with a small heap: a backlog, in transactions of 100 rows and in one, and gated
 * reads. It fails when a role ends or falls behind.
 */
final class Memory implements Workload {

  private static final String TENANT = "acme";
  private static final int MOST_REQUESTS = 40_000;
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private static final List<SourceLoad.Shape> SHAPES =
      List.of(SourceLoad.Shape.HUNDREDS, SourceLoad.Shape.ONE);

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public void run(Context context) throws Exception {
    if (!context.hasTidemark()) {
      return;
    }
    SeparateRoles system = context.site().start(() -> SeparateRoles.start(context.site()));
    Figures figures = new Figures();
    try (GatewayClient client =
        new GatewayClient(system.gateway().toString(), system.issuer(), TENANT, List.of("ops"))) {
      GatewayReads.awaitInSync(client);
      int rows = context.scale().drainedRows();
      for (SourceLoad.Shape shape : SHAPES) {
        system.pause();
        Fill fill = SourceLoad.fill(system, shape, "m" + shape.ordinal() + "-", rows);
        long begin = System.nanoTime();
        system.resume();
        system.awaitAll(fill, LIMIT);
        double seconds = (System.nanoTime() - begin) / 1e9;
        figures.add(shape.text() + ", with capture's start", "changes/s", rows / seconds);
        context.say(this, SystemKind.TIDEMARK, "%s: %.0f changes/s", shape.text(), rows / seconds);
        SourceLoad.clear(system);
      }
      String headers =
          "Authorization: Bearer "
              + system.issuer().issue(TENANT, List.of("ops"), Duration.ofHours(1))
              + "\r\nX-Required-LSN: "
              + GatewayReads.write(client)
              + "\r\n";
      int requests = Math.min(MOST_REQUESTS, context.scale().requests());
      long begin = System.nanoTime();
      List<Double> millis =
          HttpLoad.run(
              system.gateway(), GatewayReads.PATH, headers, GatewayReads.CONNECTIONS, requests);
      figures.add("gated reads", "requests/s", requests * 1e9 / (System.nanoTime() - begin));
      figures.add("p99, gated reads", "ms", Statistics.percentile(millis, 0.99));
    }
    for (Map.Entry<String, Double> role : system.peakMegabytes().entrySet()) {
      figures.add("most resident memory, " + role.getKey(), "MB", role.getValue());
      context.say(this, SystemKind.TIDEMARK, "%s: at most %.0f MB", role.getKey(), role.getValue());
    }
    figures.add("heap of each role", "MB", SeparateRoles.HEAP_MEGABYTES);
    figures.report(context, this, SystemKind.TIDEMARK);
    context.site().stop(system);
  }
}
