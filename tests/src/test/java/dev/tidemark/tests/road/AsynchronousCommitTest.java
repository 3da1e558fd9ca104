package dev.tidemark.tests.road;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.Caller;
import dev.tidemark.tests.harness.TestPipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * The seed's mistake is not repeated: a token taken from the flushed or written end of the log is
 * too early when commits do not wait for the disk.
 */
class AsynchronousCommitTest {

  private static final int THREADS = 4;
  private static final int READS_EACH = 500;

  private static final String ROUTES =
      """
      partitions: 2
      routes:
        - doctype: Waybill
          target: replica_waybill
          columns:
            - { name: step, from: step, type: integer }
      """;

  @Test
  void noReadRightAfterItsWriteIsStale() throws Exception {
    try (TestPipeline pipeline =
        TestPipeline.start(
            ROUTES,
            """
            do $$ begin
              execute format('alter database %I set synchronous_commit = off', current_database());
            end $$""")) {
      pipeline.catchUp();
      List<Callable<List<String>>> writers = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        Caller caller = pipeline.caller("tenant-" + thread);
        writers.add(() -> writeAndRead(caller));
      }
      try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
        for (Future<List<String>> stale : threads.invokeAll(writers)) {
          assertThat(stale.get()).isEmpty();
        }
      }
    }
  }

  private static List<String> writeAndRead(Caller caller) throws Exception {
    List<String> stale = new ArrayList<>();
    for (int step = 0; step < READS_EACH; step++) {
      Answer written = caller.put("/api/doc/Waybill/W", "{\"step\":" + step + "}");
      assertThat(written.status()).isIn(200, 201);
      Answer read = caller.gated("/api/replica/replica_waybill/W", written.header("X-Tx-LSN"));
      if (read.status() != 200 || read.json().path("step").asInt() != step) {
        stale.add("wrote " + step + ", read " + read.status() + " " + read.body());
      }
    }
    return stale;
  }
}
