package dev.tidemark.tests.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.BareGateway;
import dev.tidemark.tests.harness.Caller;
import dev.tidemark.tests.harness.TestPipeline;
import dev.tidemark.tests.load.ParkedReads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Reads that wait by the thousand are all answered when the watermark passes. */
class WakeUpTest {

  private static final int READS = 2_000;
  private static final int ROWS = 500;

  private static int parked(BareGateway gateway) throws Exception {
    return metric(gateway, "tidemark_waits_parked ");
  }

  /** A read whose wake-up is lost is still answered, but when its time is over. */
  private static int timesOver(BareGateway gateway) throws Exception {
    return metric(gateway, "tidemark_waits_seconds_count{result=\"time-over\"}");
  }

  private static int metric(BareGateway gateway, String name) throws Exception {
    String metrics = gateway.bearer("").get("/actuator/prometheus").body();
    String line = metrics.lines().filter(each -> each.startsWith(name)).findFirst().orElseThrow();
    return (int) Double.parseDouble(line.substring(name.length()));
  }

  @Test
  void everyParkedReadIsAnsweredWithItsRow() throws Exception {
    try (BareGateway gateway = BareGateway.start(builder -> builder)) {
      gateway.rows("acme", ROWS);
      gateway.rows("globex", ROWS);
      String position = gateway.position();
      List<ParkedReads.Read> reads = new ArrayList<>();
      String acme = gateway.caller("acme", "reader").token();
      String globex = gateway.caller("globex", "reader").token();
      for (int i = 0; i < READS; i++) {
        // Half of them ask for the same, the others each for a row that few ask for.
        String row = "R" + (i % 2 == 0 ? 0 : i % ROWS);
        reads.add(new ParkedReads.Read(BareGateway.ROWS + "/" + row, i % 4 < 2 ? acme : globex));
      }
      try (ParkedReads all =
          new ParkedReads(gateway.uri(), reads, position, Duration.ofSeconds(30))) {
        await().atMost(TestPipeline.LIMIT).until(() -> parked(gateway) == READS);
        gateway.watermark(position);
        long passed = System.nanoTime();
        List<ParkedReads.Ending> endings = all.endings();
        assertThat(endings).hasSize(READS);
        long last = passed;
        for (ParkedReads.Ending ending : endings) {
          String path = ending.read().path();
          String row = path.substring(path.lastIndexOf('/') + 1);
          assertThat(ending.status()).as(ending.body()).isEqualTo(200);
          String tenant = ending.read().token().equals(acme) ? "acme" : "globex";
          assertThat(ending.body())
              .contains("\"name\":\"" + row + "\"")
              .contains("hush-" + row.substring(1) + "-of-" + tenant);
          last = Math.max(last, ending.nanos());
        }
        System.out.printf(
            "%d parked reads: the last was answered %d ms after the watermark%n",
            READS, (last - passed) / 1_000_000);
      }
      assertThat(parked(gateway)).isZero();
      assertThat(timesOver(gateway)).isZero();
    }
  }

  /** Each asks for its own position, and the watermark passes them in steps. */
  @Test
  void nobodyIsWokenEarlyOrLeftOut() throws Exception {
    try (BareGateway gateway = BareGateway.start(builder -> builder);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      gateway.rows("acme", 1);
      Caller acme = gateway.caller("acme", "reader");
      List<String> positions = List.of("0/10", "0/20", "0/30", "0/40");
      List<Future<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        String position = positions.get(i % positions.size());
        answers.add(
            threads.submit(
                () ->
                    acme.get(
                        BareGateway.ROWS + "/R0",
                        "X-Required-LSN",
                        position,
                        "Prefer",
                        "wait=30")));
      }
      int left = 200;
      await().atMost(TestPipeline.LIMIT).until(() -> parked(gateway) == 200);
      for (String position : positions) {
        gateway.watermark(position);
        left -= 50;
        int waiting = left;
        await().atMost(TestPipeline.LIMIT).until(() -> parked(gateway) == waiting);
      }
      for (int i = 0; i < answers.size(); i++) {
        Answer answer = answers.get(i).get();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("X-Replicated-LSN"))
            .isGreaterThanOrEqualTo(positions.get(i % positions.size()));
      }
      assertThat(timesOver(gateway)).isZero();
    }
  }

  @Test
  void readsBeyondTheLimitOfWaitingOnesArePendingAtOnce() throws Exception {
    try (BareGateway gateway = BareGateway.start(builder -> builder.maxWaitingReads(3));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      gateway.rows("acme", 1);
      String position = gateway.position();
      Caller acme = gateway.caller("acme", "reader");
      List<Future<Answer>> waiting = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        waiting.add(
            threads.submit(
                () ->
                    acme.get(
                        BareGateway.ROWS + "/R0",
                        "X-Required-LSN",
                        position,
                        "Prefer",
                        "wait=30")));
      }
      await().atMost(TestPipeline.LIMIT).until(() -> parked(gateway) == 3);

      Answer turnedAway =
          acme.get(BareGateway.ROWS + "/R0", "X-Required-LSN", position, "Prefer", "wait=30");

      assertThat(turnedAway.status()).isEqualTo(202);
      assertThat(waiting).noneMatch(Future::isDone);
      assertThat(gateway.bearer("").get("/actuator/prometheus").body())
          .contains("tidemark_waits_turned_away_total 1.0");
      gateway.watermark(position);
      for (Future<Answer> each : waiting) {
        assertThat(each.get().status()).isEqualTo(200);
      }
    }
  }
}
