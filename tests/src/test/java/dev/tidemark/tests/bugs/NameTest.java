package dev.tidemark.tests.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.tests.harness.Servers;
import dev.tidemark.tests.harness.TestPipeline;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Names that other tools read as patterns, fold, or join to one.
 *
 * <p>B20: <a href="https://github.com/risingwavelabs/risingwave/issues/26985">two tables, one
 * topic</a>, <a href="https://github.com/debezium/debezium/pull/618">names cut to the alphabet of
 * Kafka</a>.
 */
class NameTest {

  private static final String ROUTES =
      """
      partitions: 2
      routes:
        - table: [public, "Pay ment"]
          tenant: "the tenant"
          target: replica_pay
          columns:
            - { name: select, from: select }
            - { name: dotted, from: ["a.b"] }
            - { name: upper, from: Upper }
        - table: [public, "a.b"]
          target: replica_ab
          columns:
            - { name: v, from: v }
        - table: Orders
          target: replica_orders
          columns:
            - { name: path, from: a.b }
            - { name: dotted, from: [a.b] }
            - { name: longest, from: LONGEST }
      """
          .replace("LONGEST", "c".repeat(63));

  @Test
  @DisplayName("B20 only rows of the table with exactly the routed name arrive")
  void onlyRowsOfTheTableWithExactlyTheRoutedNameArrive() throws Exception {
    String columns =
        "(id int primary key, \"the tenant\" text not null, \"select\" text,"
            + " \"a.b\" int, \"Upper\" text)";
    try (TestPipeline pipeline =
        TestPipeline.start(
            ROUTES,
            "create table \"Pay ment\"" + columns,
            "create table \"pay ment\"" + columns,
            "create table \"Pay$ment\"" + columns,
            "create table \"Pay_ment\"" + columns,
            "create table \"a.b\"(id int primary key, v int)",
            "create table \"a_b\"(id int primary key, v int)",
            "create schema a; create table a.b(id int primary key, v int)",
            "create table \"Orders\"(id int primary key, a jsonb, \"a.b\" text, %s int)"
                .formatted("c".repeat(63)),
            "create table orders(id int primary key, a jsonb, \"a.b\" text)",
            "insert into \"Pay ment\" values (1, 'acme', 'first', 1, 'U')",
            "insert into \"pay ment\" values (2, 'acme', 'wrong', 1, 'U')",
            "insert into \"a.b\" values (1, 1); insert into a.b values (2, 2);"
                + " insert into a_b values (3, 3)")) {
      for (String table : new String[] {"pay ment", "Pay$ment", "Pay_ment"}) {
        pipeline.source("insert into \"%s\" values (3, 'acme', 'wrong', 1, 'U')".formatted(table));
      }
      pipeline.source(
          "insert into \"Pay ment\" values (4, 'acme', 'streamed', 2, 'V');"
              + "update \"Pay ment\" set \"select\" = 'changed' where id = 1");
      pipeline.source("insert into \"a.b\" values (4, 4); insert into a.b values (5, 5)");

      pipeline.source(
          "insert into \"Orders\" values (1, '{\"b\":\"inside\"}', 'beside', 63);"
              + " insert into orders values (2, '{}', 'wrong')");

      pipeline.catchUp();
      assertThat(pipeline.replica("select (id, path, dotted, longest)::text from replica_orders"))
          .containsExactly("(1,inside,beside,63)");
      assertThat(topics(pipeline)).containsExactlyInAnyOrder("Orders", "Pay-20ment", "a-2eb");
      assertThat(
              pipeline.replica(
                  "select (tenant_id, id, \"select\", dotted, upper)::text from replica_pay order by id"))
          .containsExactly("(acme,1,changed,1,U)", "(acme,4,streamed,2,V)");
      assertThat(pipeline.replica("select (id, v)::text from replica_ab order by id"))
          .containsExactly("(1,1)", "(4,4)");
      assertThat(
              pipeline
                  .caller("acme")
                  .get("/api/replica/replica_pay?select=changed")
                  .json()
                  .path("rows")
                  .size())
          .isEqualTo(1);
    }
  }

  /** The table topics with records, by their last part. */
  private static List<String> topics(TestPipeline pipeline) {
    String bootstrap = Servers.shared().kafka().bootstrapServers();
    String prefix = pipeline.topics().table("public", "");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      return admin.listTopics().names().get().stream()
          .filter(topic -> topic.startsWith(prefix))
          .map(topic -> topic.substring(prefix.length()))
          .toList();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError("Kafka did not list its topics", e);
    }
  }

  @Test
  void columnsThatDifferInCaseAloneAreRefusedAtTheStart() {
    assertThatThrownBy(
            () ->
                TestPipeline.start(
                    """
                    routes:
                      - table: twin
                        target: replica_twin
                        columns:
                          - { name: v, from: v }
                    """,
                    "create table twin(id int primary key, v int, \"V\" int)"))
        .hasMessageContaining("columns `v` and `V` of public.twin differ in case alone");
  }
}
