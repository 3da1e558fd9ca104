package dev.tidemark.tests.road;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.tests.harness.TestPipeline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
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

  private String generation() throws Exception {
    return pipeline.replica("select max(generation) from tidemark_watermark").getFirst();
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

  @Test
  @DisplayName("B09 a column of a constant default holds what the source has in old rows")
  void aColumnAddedWithADefaultHoldsWhatTheSourceHasInOldRows() throws Exception {
    pipeline.source(
        "alter table hub add c int not null default 7; alter table hub alter c set default 8");
    pipeline.source("insert into hub (id, tenant) values (3, 'acme')");

    pipeline.restart(HEAD + HUB + "      - { name: c, from: c }\n");

    pipeline.catchUp();
    assertThat(pipeline.replica("select (id, c)::text from replica_hub order by id"))
        .containsExactly("(1,7)", "(2,7)", "(3,8)");
  }

  @Test
  @DisplayName("B30 what was deleted while the slot was lost does not survive")
  void whatWasDeletedWhileTheSlotWasLostDoesNotSurvive() throws Exception {
    String before = generation();
    pipeline.stop();
    pipeline.source(
        "delete from hub where id = 1; update hub set label = 'TWO' where id = 2;"
            + " insert into hub values (3, 'acme', 'three', 30)");
    pipeline.source("select pg_drop_replication_slot('" + pipeline.slot() + "')");
    pipeline.startAgain();

    pipeline.catchUp();
    assertThat(pipeline.replica("select (id, label)::text from replica_hub order by id"))
        .containsExactly("(2,TWO)", "(3,three)");
    assertThat(Integer.parseInt(generation())).isGreaterThan(Integer.parseInt(before));
  }

  @Test
  @DisplayName("B30 a slot that was made again by hand is not trusted")
  void aSlotThatWasMadeAgainByHandIsNotTrusted() throws Exception {
    pipeline.stop();
    pipeline.source("select pg_drop_replication_slot('" + pipeline.slot() + "')");
    pipeline.source("delete from hub where id = 1");
    pipeline.source(
        "select pg_create_logical_replication_slot('" + pipeline.slot() + "', 'pgoutput')");
    pipeline.startAgain();

    pipeline.catchUp();
    assertThat(pipeline.replica("select id from replica_hub")).containsExactly("2");
  }
}
