package dev.tidemark.tests.bench.workload;

import dev.tidemark.standalone.client.GatewayClient;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.tests.bench.system.SeparateRoles;
import dev.tidemark.tests.bench.system.SystemKind;
import dev.tidemark.tests.bench.system.TidemarkOptions;
import dev.tidemark.tests.bench.system.TidemarkSystem;
import java.util.List;

/**
 * {@code kill -9} of the whole installation under writes, and the start anew: until it is ready,
 * which includes the databases and the broker, and from there until a gated read shows a new write.
 * And the same of one role at a time, from its start to that read.
 */
final class Restart implements Workload {

  private static final String TENANT = "acme";
  private static final List<String> OPS = List.of("ops");

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
    inSync(system);
    Figures figures = new Figures();
    int rounds = context.scale().rounds();
    for (int round = 1; round <= rounds; round++) {
      SteadyLoad.write(system, "k" + round + "-", List.of(TENANT), 100, context.scale().writing());
      system.kill();
      TidemarkSystem killed = system;
      long begin = System.nanoTime();
      system = context.site().start(killed::startAgain);
      long ready = system.readyNanos();
      inSync(system);
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
    context.site().stop(system);
    roles(context, figures);
    figures.report(context, this, SystemKind.TIDEMARK);
  }

  /** One role after the other, while everything else goes on. */
  private void roles(Context context, Figures figures) throws Exception {
    SeparateRoles system = context.site().start(() -> SeparateRoles.start(context.site()));
    try (GatewayClient client =
        new GatewayClient(system.gateway().toString(), system.issuer(), TENANT, OPS)) {
      GatewayReads.awaitInSync(client);
      for (String role : SeparateRoles.names()) {
        for (int round = 1; round <= context.scale().rounds(); round++) {
          system.kill(role);
          long begin = System.nanoTime();
          system.launch(role);
          GatewayReads.awaitInSync(client);
          double millis = (System.nanoTime() - begin) / 1e6;
          figures.add("start to in sync, " + role + " alone", "ms", millis);
          context.say(this, SystemKind.TIDEMARK, "%s alone: in sync after %.0f ms", role, millis);
        }
      }
    }
    context.site().stop(system);
  }

  private static void inSync(TidemarkSystem system) throws Exception {
    try (GatewayClient client =
        new GatewayClient(
            system.endpoints().gateway(), LocalIssuer.load(system.folder()), TENANT, OPS)) {
      GatewayReads.awaitInSync(client);
    }
  }
}
