package dev.tidemark.tests.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.BareGateway;
import dev.tidemark.tests.harness.Caller;
import dev.tidemark.tests.harness.TestPipeline;
import dev.tidemark.tests.load.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A reader that waits and hangs up makes room for another one, long before its wait would end. */
class HangUpTest {

  private static final int MOST = 3;
  private static final String ROW = BareGateway.ROWS + "/R0";

  private BareGateway gateway;
  private Caller acme;
  private String position;

  @BeforeEach
  void start() throws Exception {
    gateway = BareGateway.start(builder -> builder.maxWaitingReads(MOST));
    gateway.rows("acme", 2);
    acme = gateway.caller("acme", "reader");
    position = gateway.position();
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  private double metric(String name) throws Exception {
    String metrics = gateway.bearer("").get("/actuator/prometheus").body();
    String line = metrics.lines().filter(each -> each.startsWith(name)).findFirst().orElseThrow();
    return Double.parseDouble(line.substring(name.length()));
  }

  private void untilParked(int count) {
    await()
        .atMost(TestPipeline.LIMIT)
        .until(() -> metric("tidemark_waits_parked "), parked -> parked == count);
  }

  private void untilGone(int count) {
    await()
        .atMost(TestPipeline.LIMIT)
        .until(
            () -> metric("tidemark_waits_seconds_count{result=\"client-gone\"} "),
            gone -> gone == count);
  }

  private String headers(String required) {
    return "Authorization: Bearer %s\r\nX-Required-LSN: %s\r\nPrefer: wait=30\r\n"
        .formatted(acme.token(), required);
  }

  private Wire waiting(String path) throws Exception {
    Wire wire = new Wire(gateway.uri(), Duration.ofSeconds(60));
    wire.get(path, headers(position));
    return wire;
  }

  @Test
  void readersThatHangUpMakeRoomForOthers() throws Exception {
    List<Wire> readers = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      readers.add(waiting(ROW));
    }
    untilParked(MOST);
    assertThat(acme.get(ROW, "X-Required-LSN", position, "Prefer", "wait=30").status())
        .isEqualTo(202);

    for (Wire reader : readers) {
      reader.close();
    }

    untilGone(MOST);
    assertThat(metric("tidemark_waits_parked ")).isZero();
    assertThat(metric("tidemark_waits_seconds_count{result=\"time-over\"} ")).isZero();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Answer> other =
          threads.submit(() -> acme.get(ROW, "X-Required-LSN", position, "Prefer", "wait=30"));
      untilParked(1);
      gateway.watermark(position);
      assertThat(other.get().status()).isEqualTo(200);
    }
  }

  /** Its next request is there already, so the connection can be read; that is no hanging up. */
  @Test
  void aReaderThatSendsItsNextRequestAheadIsAnsweredInOrder() throws Exception {
    try (Wire ahead = waiting(ROW)) {
      untilParked(1);
      ahead.get(BareGateway.ROWS + "/R1", headers("0/1"));
      // This one is looked at later than the one before, so both have been when it is gone.
      waiting(ROW).close();
      untilGone(1);
      assertThat(metric("tidemark_waits_parked ")).isEqualTo(1);

      gateway.watermark(position);

      assertThat(ahead.reply().body()).contains("\"name\":\"R0\"");
      assertThat(ahead.reply().body()).contains("\"name\":\"R1\"");
    }
  }
}
