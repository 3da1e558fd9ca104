package dev.tidemark.gateway.replica;

import dev.tidemark.gateway.sync.WatermarkBoard;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** Counts gated reads by how they ended, and times waits. Never by tenant or table row. */
public final class ReadMetrics {

  private final Counter open;
  private final Counter openAfterWait;
  private final Counter pending;
  private final Counter historyChanged;
  private final Counter beyondSource;
  private final Counter turnedAway;
  private final Timer waitReached;
  private final Timer waitOver;
  private final Timer waitForNobody;

  public ReadMetrics(MeterRegistry registry) {
    open = outcome(registry, "open");
    openAfterWait = outcome(registry, "open-after-wait");
    pending = outcome(registry, "pending");
    historyChanged = outcome(registry, "history-changed");
    beyondSource = outcome(registry, "beyond-source");
    turnedAway =
        Counter.builder("tidemark.waits.turned.away")
            .description("Reads that would have waited, but too many waited already")
            .register(registry);
    waitReached = waits(registry, "reached");
    waitOver = waits(registry, "time-over");
    waitForNobody = waits(registry, "client-gone");
  }

  /** A wait that may be interrupted. */
  @FunctionalInterface
  interface Wait {
    WatermarkBoard.Ending run() throws InterruptedException;
  }

  void opened(boolean waited) {
    (waited ? openAfterWait : open).increment();
  }

  void pending() {
    pending.increment();
  }

  void historyChanged() {
    historyChanged.increment();
  }

  void beyondSource() {
    beyondSource.increment();
  }

  void turnedAway() {
    turnedAway.increment();
  }

  WatermarkBoard.Ending timed(Wait wait) throws InterruptedException {
    long from = System.nanoTime();
    WatermarkBoard.Ending ending = wait.run();
    Timer timer =
        switch (ending) {
          case REACHED -> waitReached;
          case TIME_OVER -> waitOver;
          case CLIENT_GONE -> waitForNobody;
        };
    timer.record(System.nanoTime() - from, TimeUnit.NANOSECONDS);
    return ending;
  }

  private static Counter outcome(MeterRegistry registry, String outcome) {
    return Counter.builder("tidemark.gated.reads")
        .description("Reads that demand a position or a staleness, by how they ended")
        .tag("outcome", outcome)
        .register(registry);
  }

  private static Timer waits(MeterRegistry registry, String result) {
    return Timer.builder("tidemark.waits")
        .description("Time that reads waited for a watermark")
        .tag("result", result)
        .register(registry);
  }
}
