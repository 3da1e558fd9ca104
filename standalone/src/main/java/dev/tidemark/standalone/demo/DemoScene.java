package dev.tidemark.standalone.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.standalone.Standalone;
import dev.tidemark.standalone.client.Answer;
import dev.tidemark.standalone.client.GatewayClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The scene: customer care must not see a status that operations have already changed. The
 * projector is paused, so that the gap is long enough to look at; then the same is measured at full
 * speed. Single-use, for one thread.
 */
public final class DemoScene {

  private static final String TENANT = "acme";
  private static final String NAME = "WB-2610-000003";
  private static final String PATH = "/api/doc/Waybill/";
  private static final String READ = "/api/replica/replica_waybill?name=";
  private static final int MEASURED_WRITES = 300;
  private static final long LONGEST_WAIT_SECONDS = 20;

  private final Standalone installation;
  private final PrintWriter out;

  /**
   * @param installation running with the example's routes
   * @param out takes the transcript
   */
  public DemoScene(Standalone installation, PrintWriter out) {
    this.installation = installation;
    this.out = out;
  }

  /**
   * Plays it.
   *
   * @throws BrokenPromiseException at the first step that was not as promised
   */
  public void play() throws IOException, InterruptedException {
    try (GatewayClient operations = client("ops");
        GatewayClient care = client("care");
        GatewayClient admin = client("admin")) {
      String first = write(operations, NAME, "At Hub");
      awaitInSync(care, NAME, first, "At Hub");
      out.println("in sync: care sees \"At Hub\"\n");

      pause(admin, true);
      long written = System.nanoTime();
      String position = write(operations, NAME, "Delivered");
      pending(care, position);
      long resumed = System.nanoTime();
      pause(admin, false);
      JsonNode row = awaitInSync(care, NAME, position, "Delivered");
      long inSync = System.nanoTime();
      out.printf(
          Locale.ROOT,
          "HTTP 200   in sync %.0f ms after the projector came back, %.0f ms after the write%n%s%n%n",
          millis(resumed, inSync),
          millis(written, inSync),
          row.toPrettyString());
      measure(operations, care);
    }
    out.flush();
  }

  private GatewayClient client(String role) {
    return new GatewayClient(
        installation.endpoints().gateway(), installation.issuer(), TENANT, List.of(role));
  }

  private String write(GatewayClient operations, String name, String status)
      throws IOException, InterruptedException {
    Answer answer = put(operations, name, status);
    out.printf(
        "PUT %s%s {\"ops_status\": \"%s\", ...}%nHTTP %d   X-Tx-LSN: %s%n",
        PATH, name, status, answer.status(), answer.header("X-Tx-LSN"));
    return answer.header("X-Tx-LSN");
  }

  private static Answer put(GatewayClient operations, String name, String status)
      throws IOException, InterruptedException {
    Answer answer =
        operations.put(
            PATH + name,
            """
            {"order": "SO-77120", "ops_status": "%s", "current_hub": "HN-01",
             "receiver_name": "Lan", "scan_log": ["in", "sorted", "out"]}"""
                .formatted(status));
    BrokenPromiseException.unless(
        answer.status() == 200 || answer.status() == 201, "the write is stored", answer);
    BrokenPromiseException.unless(
        answer.header("X-Tx-LSN").matches("[0-9A-F]{1,8}/[0-9A-F]{1,8}"),
        "the write returns its position",
        answer);
    return answer;
  }

  private void pause(GatewayClient admin, boolean paused) throws IOException, InterruptedException {
    Answer answer = admin.put("/api/ops/paused/projector", Boolean.toString(paused));
    BrokenPromiseException.unless(
        answer.status() == 200 || answer.status() == 204,
        "an administrator pauses and resumes the projector",
        answer);
    out.println(paused ? "(the projector is paused)" : "(the projector is resumed)");
  }

  private void pending(GatewayClient care, String position)
      throws IOException, InterruptedException {
    Answer answer = care.get(READ + NAME, Map.of("X-Required-LSN", position));
    out.printf(
        "GET %s%s   X-Required-LSN: %s%nHTTP %d%n%s%n",
        READ, NAME, position, answer.status(), answer.json().toPrettyString());
    BrokenPromiseException.unless(
        answer.status() == 202
            && answer.json().path("status").asText().equals("sync-pending")
            && !answer.json().has("rows")
            && !answer.body().contains("At Hub"),
        "a read that names the write is pending, and shows no older row",
        answer);
  }

  /** Asks until the answer is 200, and then checks that it holds what was written. */
  private static JsonNode awaitInSync(
      GatewayClient care, String name, String position, String status)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + Duration.ofSeconds(LONGEST_WAIT_SECONDS).toNanos();
    Answer answer;
    do {
      answer = care.get(READ + name, Map.of("X-Required-LSN", position, "Prefer", "wait=5"));
    } while (answer.status() == 202 && System.nanoTime() < deadline);
    JsonNode row = answer.json().path("rows").path(0);
    BrokenPromiseException.unless(
        answer.status() == 200 && row.path("ops_status").asText().equals(status),
        "within " + LONGEST_WAIT_SECONDS + " s, the same read shows \"" + status + "\"",
        answer);
    return row;
  }

  private void measure(GatewayClient operations, GatewayClient care)
      throws IOException, InterruptedException {
    double[] millis = new double[MEASURED_WRITES];
    for (int i = 0; i < MEASURED_WRITES; i++) {
      String name = "WB-2611-" + i;
      String position = put(operations, name, "Scanned " + i).header("X-Tx-LSN");
      long written = System.nanoTime();
      awaitInSync(care, name, position, "Scanned " + i);
      millis[i] = millis(written, System.nanoTime());
    }
    Arrays.sort(millis);
    out.printf(
        Locale.ROOT,
        "%d writes, from the write's answer to the read's: p50 %.1f ms, p99 %.1f ms%n",
        MEASURED_WRITES,
        millis[MEASURED_WRITES / 2],
        millis[MEASURED_WRITES * 99 / 100]);
  }

  private static double millis(long from, long to) {
    return (to - from) / 1e6;
  }
}
