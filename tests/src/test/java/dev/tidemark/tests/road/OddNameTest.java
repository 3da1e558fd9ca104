package dev.tidemark.tests.road;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.tests.harness.TestPipeline;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Names that other tools read as patterns, fold, or join to one. */
class OddNameTest {

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
      """;

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

      pipeline.catchUp();
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
