package dev.tidemark.tests.road;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.tests.harness.TestPipeline;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Services that stop and start while the source is written to lose nothing and repeat nothing. */
class RestartTest {

  private static final String ROUTES =
      """
      partitions: 4
      routes:
        - table: line
          tenant: tenant
          target: replica_line
          columns:
            - { name: v, from: v }
      """;

  private static final int RESTARTS = 3;

  /** A write of each kind, over four tenants and three hundred rows. */
  private static String write(int step) {
    int id = step % 300;
    String tenant = "tenant-" + step % 4;
    return switch (step % 7) {
      case 0, 1, 2, 3 ->
          "insert into line values (%d, '%s', %d) on conflict (id) do update set v = excluded.v"
              .formatted(id, tenant, step);
      case 4 ->
          "update line set tenant = '%s', v = %d where id = %d".formatted(tenant, step, id / 2);
      case 5 -> "delete from line where id = %d".formatted(id / 3);
      default -> "update line set v = %d where id %% 10 = %d".formatted(step, step % 10);
    };
  }

  @Test
  void everythingArrivesOnceAndTheWatermarkGoesOnFromWhereItWas() throws Exception {
    try (TestPipeline pipeline =
        TestPipeline.start(
            ROUTES, "create table line(id int primary key, tenant text not null, v int)")) {
      pipeline.catchUp();
      String generation =
          pipeline
              .replica("select distinct generation || history from tidemark_watermark")
              .getFirst();
      AtomicBoolean over = new AtomicBoolean();
      AtomicInteger steps = new AtomicInteger();
      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(() -> writeUntil(pipeline, over, steps));
      try {
        for (int restart = 0; restart < RESTARTS; restart++) {
          writesGoOn(writer, steps);
          pipeline.stop();
          List<String> stopped = watermarks(pipeline);
          writesGoOn(writer, steps);
          pipeline.startAgain();
          writesGoOn(writer, steps);
          assertNoneWentBack(pipeline, stopped);
        }
      } finally {
        over.set(true);
      }
      writer.get();

      pipeline.catchUp();
      assertThat(
              pipeline.replica(
                  "select (tenant_id, id, v)::text from replica_line order by id, tenant_id"))
          .isEqualTo(pipeline.source("select (tenant, id, v)::text from line order by id, tenant"));
      assertThat(pipeline.replica("select distinct generation || history from tidemark_watermark"))
          .containsExactly(generation);
    }
  }

  private static void writeUntil(TestPipeline pipeline, AtomicBoolean over, AtomicInteger steps) {
    try (Connection connection = pipeline.sourceDatabase().connect();
        Statement statement = connection.createStatement()) {
      while (!over.get()) {
        statement.execute(write(steps.get()));
        steps.incrementAndGet();
      }
    } catch (java.sql.SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits for some more writes, or for the writer's failure. */
  private static void writesGoOn(CompletableFuture<Void> writer, AtomicInteger steps) {
    int until = steps.get() + 300;
    Awaitility.await()
        .atMost(TestPipeline.LIMIT)
        .until(() -> writer.isDone() || steps.get() >= until);
    assertThat(writer).isNotDone();
  }

  private static List<String> watermarks(TestPipeline pipeline) throws Exception {
    return pipeline.replica("select lsn::text from tidemark_watermark order by partition");
  }

  private static void assertNoneWentBack(TestPipeline pipeline, List<String> before)
      throws Exception {
    for (int partition = 0; partition < before.size(); partition++) {
      assertThat(
              pipeline.replica(
                  "select lsn >= '%s' from tidemark_watermark where partition = %d"
                      .formatted(before.get(partition), partition)))
          .containsExactly("t");
    }
  }
}
