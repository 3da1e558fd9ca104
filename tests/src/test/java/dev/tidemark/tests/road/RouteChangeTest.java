package dev.tidemark.tests.road;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.tests.harness.HeldLoad;
import dev.tidemark.tests.harness.Servers;
import dev.tidemark.tests.harness.TestPipeline;
import dev.tidemark.tests.harness.TopicReader;
import dev.tidemark.topics.log.LogRecord;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A route file that has changed takes effect at the next start. */
class RouteChangeTest {

  private static final String HEAD = "partitions: 2\nroutes:\n";

  private static final String HUB =
      """
        - table: hub
          tenant: tenant
          target: replica_hub
          columns:
            - { name: label, from: label }
      """;

  private static final String HUB_WITH_SIZE = HUB + "      - { name: size, from: size }\n";

  private static final String LEG =
      """
        - table: leg
          tenant: tenant
          target: replica_leg
          columns:
            - { name: km, from: km }
      """;

  private TestPipeline pipeline;

  @BeforeEach
  void start() throws Exception {
    pipeline =
        TestPipeline.start(
            HEAD + HUB,
            "create table hub(id int primary key, tenant text not null, label text, size int)",
            "create table leg(id int primary key, tenant text not null, km int)",
            "insert into hub values (1, 'acme', 'one', 10), (2, 'globex', 'two', 20)",
            "insert into leg values (1, 'acme', 100)");
    pipeline.catchUp();
  }

  @AfterEach
  void stop() throws Exception {
    pipeline.close();
  }

  private int status(String target) throws Exception {
    return pipeline.caller("acme").get("/api/replica/" + target).status();
  }

  @Test
  void theExistingRowsOfANewRouteArrive() throws Exception {
    assertThat(status("replica_leg")).isEqualTo(404);

    pipeline.restart(HEAD + HUB + LEG);
    pipeline.source("insert into leg values (2, 'acme', 200)");

    pipeline.catchUp();
    assertThat(pipeline.replica("select (tenant_id, id, km)::text from replica_leg order by id"))
        .containsExactly("(acme,1,100)", "(acme,2,200)");
    assertThat(pipeline.replica("select count(*) from replica_hub")).containsExactly("2");
    assertThat(status("replica_leg")).isEqualTo(200);
  }

  /**
   * Such a snapshot may be in the log, and not yet in the replica, when the services start with
   * other routes.
   */
  @Test
  void aSnapshotThatWasReadForOtherRoutesCompletesNoTableOfANewOne() throws Exception {
    String position = pipeline.position();
    pipeline.services().projector().pause();
    pipeline.services().capture().pause();
    int generation = generations().last();
    pipeline.source("select pg_drop_replication_slot('" + pipeline.slot() + "')");
    pipeline.services().capture().resume();
    await().atMost(TestPipeline.LIMIT).until(() -> generations().last() > generation);

    pipeline.replica(HeldLoad.before("replica_leg", 1));
    pipeline.restart(HEAD + HUB + LEG);
    await().atMost(TestPipeline.LIMIT).until(() -> !pipeline.replica(HeldLoad.HELD).isEmpty());

    assertThat(status("replica_leg")).isEqualTo(503);
    assertThat(
            pipeline
                .caller("acme")
                .get("/api/replica/replica_leg", "X-Required-LSN", position)
                .status())
        .isEqualTo(202);
    pipeline.replica(HeldLoad.RELEASE);
    pipeline.catchUp();
    assertThat(status("replica_leg")).isEqualTo(200);
  }

  /** Those whose snapshot is in the log to its end, in both partitions. */
  private SortedSet<Integer> generations() {
    Map<Integer, Long> ends =
        TopicReader.log(Servers.shared().kafka().bootstrapServers(), pipeline.topics()).stream()
            .filter(LogRecord.SnapshotComplete.class::isInstance)
            .collect(Collectors.groupingBy(LogRecord::generation, Collectors.counting()));
    return ends.entrySet().stream()
        .filter(end -> end.getValue() == 2)
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void aColumnThatIsAddedHoldsTheValuesOfExistingRows() throws Exception {
    pipeline.restart(HEAD + HUB_WITH_SIZE);

    pipeline.catchUp();
    assertThat(pipeline.replica("select (id, label, size)::text from replica_hub order by id"))
        .containsExactly("(1,one,10)", "(2,two,20)");

    pipeline.restart(HEAD + HUB);

    pipeline.catchUp();
    assertThat(pipeline.caller("acme").get("/api/replica/replica_hub/1").json().has("size"))
        .isFalse();
  }

  @Test
  void aRemovedRouteIsNotServedAndStandsStill() throws Exception {
    pipeline.restart(HEAD + HUB + LEG);
    pipeline.catchUp();

    pipeline.restart(HEAD + LEG);
    pipeline.source("insert into hub values (3, 'acme', 'three', 30)");

    pipeline.catchUp();
    assertThat(status("replica_hub")).isEqualTo(404);
    assertThat(status("replica_leg")).isEqualTo(200);
    assertThat(
            pipeline.source("select count(*) from pg_publication_tables where tablename = 'hub'"))
        .containsExactly("0");
  }
}
