package dev.tidemark.tests.bench.workload;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.standalone.client.GatewayClient;
import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.tests.bench.report.Statistics;
import dev.tidemark.tests.bench.system.BenchException;
import dev.tidemark.tests.bench.system.Contender;
import dev.tidemark.tests.bench.system.SystemKind;
import dev.tidemark.tests.bench.system.TidemarkOptions;
import dev.tidemark.tests.bench.system.TidemarkSystem;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Reads of one document over HTTP: without a position, with one that is reached, and with one that
 * is reached and the wish to wait for it. Kinds take turns, so that what else the machine does
 * falls on all alike.
 */
final class GatewayReads implements Workload {

  private static final String TENANT = "acme";
  static final String PATH = "/api/replica/replica_waybill/G-1";
  static final int CONNECTIONS = 32;
  private static final Duration IN_SYNC_LIMIT = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(10);
  private static final int WARM_UP_ROUNDS = 2;

  private enum Kind {
    UNGATED("ungated reads"),
    GATED("gated reads"),
    WAITING("gated reads with wait");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    private String headers(String token, String position) {
      String plain = "Authorization: Bearer " + token + "\r\n";
      String gated = plain + "X-Required-LSN: " + position + "\r\n";
      return switch (this) {
        case UNGATED -> plain;
        case GATED -> gated;
        case WAITING -> gated + "Prefer: wait=5\r\n";
      };
    }
  }

  @Override
  public String name() {
    return "gateway";
  }

  @Override
  public void run(Context context) throws Exception {
    if (!context.hasTidemark()) {
      return;
    }
    TidemarkSystem system =
        context.site().start(() -> TidemarkSystem.start(context.site(), TidemarkOptions.DEFAULT));
    LocalIssuer issuer = LocalIssuer.load(system.folder());
    URI gateway = URI.create(system.endpoints().gateway());
    String token = issuer.issue(TENANT, List.of("ops"), Duration.ofHours(1));
    String position;
    try (GatewayClient client =
        new GatewayClient(gateway.toString(), issuer, TENANT, List.of("ops"))) {
      position = write(client);
    }
    Figures figures = new Figures();
    List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
    int rounds = context.scale().rounds();
    for (int round = 1 - WARM_UP_ROUNDS; round <= rounds; round++) {
      Figures kept = round > 0 ? figures : new Figures();
      for (Kind kind : kinds) {
        measure(context, system, gateway, kind, kind.headers(token, position), kept);
      }
      Collections.rotate(kinds, 1);
      if (round > 0) {
        context.say(this, SystemKind.TIDEMARK, "round %d of %d", round, rounds);
      }
    }
    figures.report(context, this, SystemKind.TIDEMARK);
    context.site().stop(system);
  }

  /** Writes the document; returns its position when a gated read has shown it. */
  static String write(GatewayClient client) throws Exception {
    String position =
        client.put("/api/doc/Waybill/G-1", "{\"ops_status\":\"At Hub\"}").header("X-Tx-LSN");
    Answer answer = client.get(PATH, Map.of("X-Required-LSN", position, "Prefer", "wait=30"));
    if (answer.status() != 200) {
      throw new BenchException("a read was answered " + answer.status() + ": " + answer.body());
    }
    return position;
  }

  /**
   * Writes the document until a gated read has shown it, also where nobody answers yet.
   *
   * @throws BenchException when that has not come about within the limit
   */
  static void awaitInSync(GatewayClient client) throws Exception {
    long deadline = System.nanoTime() + IN_SYNC_LIMIT.toNanos();
    while (true) {
      try {
        write(client);
        return;
      } catch (InstallationException | BenchException e) {
        if (System.nanoTime() - deadline > 0) {
          throw new BenchException("no gated read showed a write within " + IN_SYNC_LIMIT, e);
        }
        Thread.sleep(POLL);
      }
    }
  }

  private static void measure(
      Context context,
      TidemarkSystem system,
      URI gateway,
      Kind kind,
      String headers,
      Figures figures)
      throws Exception {
    int requests = context.scale().requests();
    Contender.Cpu before = system.cpu();
    long begin = System.nanoTime();
    List<Double> millis = HttpLoad.run(gateway, PATH, headers, CONNECTIONS, requests);
    double seconds = (System.nanoTime() - begin) / 1e9;
    Contender.Cpu used = system.cpu().since(before);
    figures.add(kind.text, "requests/s", requests / seconds);
    figures.add("p99, " + kind.text, "ms", Statistics.percentile(millis, 0.99));
    figures.add("CPU, " + kind.text, "s/10,000", used.system() / 1e9 * 10_000 / requests);
    figures.add(
        "CPU of the databases, " + kind.text,
        "s/10,000",
        (used.source() + used.replica()) / 1e9 * 10_000 / requests);
  }
}
