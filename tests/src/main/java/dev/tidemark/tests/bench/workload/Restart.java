package dev.tidemark.tests.bench.workload;

import dev.tidemark.standalone.client.GatewayClient;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.tests.bench.system.BenchException;
import dev.tidemark.tests.bench.system.SystemKind;
import dev.tidemark.tests.bench.system.TidemarkOptions;
import dev.tidemark.tests.bench.system.TidemarkSystem;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * {@code kill -9} of the whole installation, a write to the source's database, and the start anew:
 * until it is ready, which includes the databases and the broker, and from there until a gated read
 * shows a write.
 */
final class Restart implements Workload {

  private static final String TENANT = "acme";
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Override
  public String name() {
    return "restart";
  }

  @Override
  public void run(Context context) throws Exception {
    if (!context.hasTidemark()) {
      return;
    }
    TidemarkSystem system =
        context.site().start(() -> TidemarkSystem.start(context.site(), TidemarkOptions.DEFAULT));
    inSync(system, 0);
    Figures figures = new Figures();
    int rounds = context.scale().rounds();
    for (int round = 1; round <= rounds; round++) {
      SteadyLoad.write(system, "k" + round + "-", List.of(TENANT), 100, context.scale().writing());
      system.kill();
      TidemarkSystem killed = system;
      long begin = System.nanoTime();
      system = context.site().start(killed::startAgain);
      long ready = system.readyNanos();
      inSync(system, round);
      long end = System.nanoTime();
      context.site().forget(killed);
      figures.add("start to ready", "ms", (ready - begin) / 1e6);
      figures.add("ready to in sync", "ms", (end - ready) / 1e6);
      context.say(
          this,
          SystemKind.TIDEMARK,
          "round %d of %d: ready after %d ms, in sync %d ms later",
          round,
          rounds,
          (ready - begin) / 1_000_000,
          (end - ready) / 1_000_000);
    }
    figures.report(context, this, SystemKind.TIDEMARK);
    context.site().stop(system);
  }

  /** Writes, and reads until the write is there. */
  private static void inSync(TidemarkSystem system, int round) throws Exception {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    try (GatewayClient client =
        new GatewayClient(
            system.endpoints().gateway(),
            LocalIssuer.load(system.folder()),
            TENANT,
            List.of("ops"))) {
      String position =
          client
              .put("/api/doc/Waybill/R", "{\"ops_status\":\"round " + round + "\"}")
              .header("X-Tx-LSN");
      while (client
              .get(
                  "/api/replica/replica_waybill/R",
                  Map.of("X-Required-LSN", position, "Prefer", "wait=30"))
              .status()
          != 200) {
        if (System.nanoTime() - deadline > 0) {
          throw new BenchException("no gated read was answered 200 within " + LIMIT);
        }
      }
    }
  }
}
