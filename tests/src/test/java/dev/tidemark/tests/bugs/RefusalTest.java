package dev.tidemark.tests.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.standalone.Main;
import dev.tidemark.tests.harness.TestPipeline;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What cannot be kept exactly is refused before anything starts, with what to do instead.
 *
 * <ul>
 *   <li>B13: <a href="https://github.com/spiceai/spiceai/pull/11255">generated columns</a>
 *   <li>B16: <a href="https://github.com/debezium/debezium/pull/7540">timetz and interval</a>
 *   <li>B21: <a href="https://github.com/hasura/graphql-engine/issues/5537">words that YAML turns
 *       into other values</a>
 * </ul>
 */
class RefusalTest {

  @TempDir private Path folder = Path.of("");

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of(
            "B13 a stored generated column",
            "create table t(id int primary key, a int, v int generated always as (a * 2) stored)",
            "column `v` of public.t is generated and not published"),
        Arguments.of(
            "B13 a generated column as the tenant",
            "create table t(id int primary key, v int, tenant text generated always as ('x') stored)",
            "the tenant column `tenant` of public.t is generated"),
        Arguments.of(
            "B16 timetz without a declared type",
            "create table t(id int primary key, v timetz)",
            "is of type time with time zone, which is no type of a replica table; declare `type: text`"),
        Arguments.of(
            "B16 interval without a declared type",
            "create table t(id int primary key, v interval)",
            "is of type interval"),
        Arguments.of(
            "a view",
            "create table base(id int primary key, v int); create view t as select * from base",
            "public.t is a view, a foreign table, or unlogged"),
        Arguments.of(
            "a materialized view",
            "create table base(id int primary key, v int);"
                + " create materialized view t as select * from base",
            "public.t is a view, a foreign table, or unlogged"),
        Arguments.of(
            "an unlogged table",
            "create unlogged table t(id int primary key, v int)",
            "public.t is a view, a foreign table, or unlogged"),
        Arguments.of(
            "a foreign table",
            "create extension postgres_fdw; create server s foreign data wrapper postgres_fdw;"
                + " create foreign table t(id int not null, v int) server s",
            "public.t is a view, a foreign table, or unlogged"),
        Arguments.of(
            "a table without a key",
            "create table t(id int, v int)",
            "public.t has no primary key; name the columns"),
        Arguments.of(
            "a table that others inherit from",
            "create table t(id int primary key, v int); create table kid() inherits (t)",
            "public.t is inherited by public.kid"),
        Arguments.of(
            "an unlogged partition",
            "create table t(id int primary key, v int) partition by range (id);"
                + " create unlogged table part partition of t for values from (0) to (9)",
            "the partition public.part of public.t is a foreign table or unlogged"));
  }

  private static String routes(String more) {
    return """
        routes:
          - table: t
            target: replica_t
            columns: [ { name: v, from: v } ]
        """
        + more;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  @DisplayName("B13 B16 what the stream cannot keep is refused")
  void whatTheStreamCannotKeepIsRefused(String what, String sql, String message) {
    String tenant = what.contains("tenant") ? "    tenant: tenant\n" : "";
    assertThatThrownBy(() -> TestPipeline.start(routes(tenant), sql))
        .hasMessageContaining("routes do not fit")
        .hasMessageContaining(message);
  }

  @Test
  void aPartitionedTableAndItsPartitionCannotBothHaveRoutes() {
    assertThatThrownBy(
            () ->
                TestPipeline.start(
                    routes(
                        """
                          - table: part
                            target: replica_part
                            columns: [ { name: v, from: v } ]
                        """),
                    "create table t(id int primary key, v int) partition by range (id);"
                        + " create table part partition of t for values from (0) to (9)"))
        .hasMessageContaining("public.part is a partition of public.t, and both have routes");
  }

  private int check(String yaml, StringWriter said) throws Exception {
    Path file = Files.writeString(folder.resolve("routes.yaml"), yaml);
    return Main.commandLine()
        .setOut(new PrintWriter(said))
        .setErr(new PrintWriter(said))
        .execute("routes", "check", file.toString());
  }

  @Test
  @DisplayName("B21 words that YAML would turn into booleans and numbers stay the words they are")
  void wordsStayTheWordsTheyAre() throws Exception {
    StringWriter said = new StringWriter();
    String yaml =
        """
        slot: on
        publication: y
        routes:
          - table: no
            tenant: off
            target: replica_no
            columns:
              - { name: no, from: no }
              - { name: y, from: on, type: text }
              - { name: n, from: [1.10] }
              - { name: z, from: 0123 }
        """;
    assertThat(check(yaml, said)).as(said.toString()).isZero();

    try (TestPipeline pipeline =
        TestPipeline.start(
            yaml.substring(yaml.indexOf("routes:")),
            "create table no(id int primary key, off text, no text, \"on\" bool, \"1\" text,"
                + " \"0123\" text, \"1.10\" text)",
            "insert into no values (1, 'acme', 'no', true, '1', '0123', '1.10')")) {
      pipeline.catchUp();
      assertThat(pipeline.replica("select (tenant_id, no, y, n, z)::text from replica_no"))
          .containsExactly("(acme,no,t,1.10,0123)");
    }
  }

  @ParameterizedTest
  @DisplayName("B20 B21 a route file with a problem is refused with its line")
  @CsvSource(
      delimiter = '|',
      value = {
        "columns: [ { name: v, from: v, type: 'numeric(10,2)' } ]    | unknown type `numeric(10,2)`",
        "columns: [ { name: v, from: v, default: 08 } ]              | unknown key `default`",
        "columns: [ { name: v, from: v }, { name: v, from: w } ]     | `v`",
        "columns: [ { name: v, name: w, from: v } ]                  | name",
        "columns: [ { name: v, from: '' } ]                          | from",
        "columns: [ { name: v, from: } ]                             | from",
        "columns: [ { name: v, from: ~ } ]                           | from",
        "columns: []                                                 | columns",
        "columns: [ { name: aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg, from: v } ] | 63",
        "columns: [ { name: v, from: aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg } ] | 63",
        "tenant: aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg, columns: [ { name: v, from: v } ] | 63",
      })
  void aRouteFileWithAProblemIsRefusedWithItsLine(String rest, String named) throws Exception {
    StringWriter said = new StringWriter();
    String yaml =
        "slot: s\npublication: p\nroutes:\n  - { table: t, target: replica_t, " + rest + " }\n";

    assertThat(check(yaml, said)).isEqualTo(1);

    assertThat(said.toString()).containsPattern("routes.yaml:4: .*").contains(named);
  }

  @Test
  @DisplayName("B21 two routes to one table and a key that stands twice are told in one run")
  void allProblemsAreToldInOneRun() throws Exception {
    StringWriter said = new StringWriter();
    String yaml =
        """
        slot: s
        publication: p
        routes:
          - { table: a, target: replica_a, columns: [ { name: v, from: v } ] }
          - { table: b, target: replica_a, columns: [ { name: v, from: v } ] }
          - { table: c, target: replica_c, columns: [ { name: x, from: v, type: int } ] }
        """;

    assertThat(check(yaml, said)).isEqualTo(1);

    assertThat(said.toString().lines().toList())
        .anyMatch(line -> line.contains(":5: ") && line.contains("replica_a"))
        .anyMatch(line -> line.contains(":6: ") && line.contains("`int`"));
  }
}
