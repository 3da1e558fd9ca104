package dev.tidemark.tests.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.tests.harness.TestPipeline;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each value is in the replica what it is in the source, whether it came by the snapshot or by the
 * stream. The source's session defaults are unusual on purpose: what travels must not depend on
 * them.
 */
class ValueTypeTest {

  /** {@code declared} is the type in the route file; empty for the one that follows. */
  private record Sample(String column, String type, String declared, List<String> values) {
    Sample(String column, String type, List<String> values) {
      this(column, type, "", values);
    }
  }

  private static final List<Sample> SAMPLES =
      List.of(
          new Sample(
              "num",
              "numeric",
              List.of(
                  "1.500",
                  "'NaN'",
                  "'Infinity'",
                  "0.000000000000000001",
                  "12345678901234567890.123456789",
                  "-0.00")),
          new Sample("money", "numeric(12,2)", List.of("1.5", "-9999999999.99")),
          new Sample("big", "bigint", List.of("9007199254740993", "-9223372036854775808", "0")),
          new Sample("small", "smallint", List.of("32767", "-32768")),
          new Sample(
              "f8",
              "double precision",
              List.of("0.1", "'NaN'", "'-Infinity'", "1e-307", "'-0'", "1.7976931348623157e308")),
          new Sample("f4", "real", List.of("0.1", "'Infinity'", "3.4028235e38", "1e-37")),
          new Sample("flag", "boolean", List.of("true", "false")),
          new Sample(
              "day",
              "date",
              List.of("'infinity'", "'0044-03-15 BC'", "'0001-01-01'", "'2024-02-29'")),
          new Sample(
              "ts",
              "timestamp",
              List.of(
                  "'infinity'",
                  "'0001-01-01'",
                  "'294276-12-31 23:59:59.999999'",
                  "'4713-01-01 BC'",
                  "'2024-03-31 02:30:00.000001'")),
          new Sample(
              "tstz",
              "timestamptz",
              List.of(
                  "'infinity'",
                  "'-infinity'",
                  "'2024-03-31 02:30+02'",
                  "'2024-10-27 02:30 Europe/Paris'",
                  "'0044-03-15 12:00:00+00 BC'",
                  "'1883-11-18 12:03:57-04:56:02'")),
          new Sample("uid", "uuid", List.of("'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'")),
          new Sample("bin", "bytea", List.of("'\\xdeadbeef'", "'\\x'", "'\\x00'", "'\\x5c78'")),
          new Sample(
              "txt",
              "text",
              List.of(
                  "''",
                  "'NULL'",
                  "E'a\\tb\\nc\\\\'",
                  "'__debezium_unavailable_value'",
                  "'Việt 🚚'")),
          new Sample("fixed", "char(5)", List.of("'ab'", "''")),
          new Sample(
              "doc",
              "jsonb",
              List.of(
                  "'{\"n\":9007199254740993.10,\"a\":[null,\"\\\"\"]}'",
                  "'null'",
                  "'\"x\"'",
                  "'[]'")),
          new Sample(
              "tags",
              "text[]",
              List.of(
                  "array['a', null, 'NULL', '', 'x\"y', 'a,b', '{}', E'back\\\\slash']",
                  "'{}'",
                  "array[['a','b'],['c',null]]")),
          new Sample("fixeds", "char(3)[]", List.of("array['a', '']")),
          new Sample("flag_text", "boolean", "text", List.of("true", "false")),
          new Sample("net", "inet", "text", List.of("'10.0.0.1'", "'10.0.0.0/8'")),
          new Sample("span", "interval", "text", List.of("'1 mon 1 day 0.000001 s'", "'-1 day'")),
          new Sample(
              "clock", "timetz", "text", List.of("'24:00:00+05:30'", "'12:00:00.000001-08'")),
          new Sample("noon", "time", "text", List.of("'24:00:00'")),
          new Sample("raw", "json", "text", List.of("'{\"a\" : 1.10 , \"a\":2}'")),
          new Sample("nums", "numeric[]", List.of("'{1.500,NaN,NULL}'")),
          new Sample("days", "date[]", List.of("'{infinity,0044-03-15 BC,NULL}'")),
          new Sample("bins", "bytea[]", List.of("array['\\x00'::bytea, null, '\\x5c22']")),
          new Sample("stamps", "timestamptz[]", List.of("'{infinity,\"2024-03-31 02:30+02\"}'")));

  private static TestPipeline pipeline;

  /** One row for each value, with the other columns null, and one of nulls alone. */
  private static String inserts(String how) {
    StringBuilder sql =
        new StringBuilder(
            "insert into sample (id, tenant) values ('%s-null', 'acme');".formatted(how));
    for (Sample sample : SAMPLES) {
      for (int i = 0; i < sample.values().size(); i++) {
        sql.append(
            "insert into sample (id, tenant, %1$s) values ('%2$s-%1$s-%3$d', 'acme', %4$s);"
                .formatted(sample.column(), how, i, sample.values().get(i)));
      }
    }
    return sql.toString();
  }

  @BeforeAll
  static void start() throws Exception {
    StringBuilder routes =
        new StringBuilder(
            "partitions: 2\nroutes:\n  - table: sample\n    tenant: tenant\n    target: replica_sample\n"
                + "    columns:\n");
    StringBuilder table =
        new StringBuilder("create table sample(id text primary key, tenant text not null");
    for (Sample sample : SAMPLES) {
      routes.append("      - { name: %1$s, from: %1$s".formatted(sample.column()));
      routes.append(sample.declared().isEmpty() ? " }\n" : ", type: " + sample.declared() + " }\n");
      table.append(", %s %s".formatted(sample.column(), sample.type()));
    }
    pipeline =
        TestPipeline.start(
            routes.toString(),
            """
            do $$ begin
              execute format('alter database %I set timezone = %L', current_database(), 'Asia/Kathmandu');
              execute format('alter database %I set datestyle = %L', current_database(), 'SQL, DMY');
              execute format('alter database %I set bytea_output = %L', current_database(), 'escape');
              execute format('alter database %I set extra_float_digits = %L', current_database(), '-3');
              execute format('alter database %I set intervalstyle = %L', current_database(), 'sql_standard');
            end $$""",
            table + ")",
            inserts("snapshot"));
    pipeline.catchUp();
    pipeline.source(inserts("stream"));
    // Once more through the old row of an update and of a move.
    pipeline.source(inserts("moved"));
    pipeline.source("update sample set tenant = 'globex' where id like 'moved%'");
    pipeline.catchUp();
  }

  @AfterAll
  static void stop() throws Exception {
    pipeline.close();
  }

  /** As PostgreSQL itself writes them, with settings that lose nothing. */
  private static List<String> texts(boolean source, String how, String column) throws SQLException {
    String sql =
        ("set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set bytea_output = 'hex';"
                + " set extra_float_digits = 1; set intervalstyle = 'postgres';"
                + " select (id, %s)::text from %s where id ~ '^%s-(%s|null)' order by id")
            .formatted(column, source ? "sample" : "replica_sample", how, column);
    return source ? pipeline.source(sql) : pipeline.replica(sql);
  }

  static Stream<String> columns() {
    return SAMPLES.stream().map(Sample::column);
  }

  @ParameterizedTest
  @MethodSource("columns")
  @DisplayName("B15 B16 B17 values of the snapshot are exact")
  void valuesOfTheSnapshotAreExact(String column) throws SQLException {
    assertExact("snapshot", column);
  }

  @ParameterizedTest
  @MethodSource("columns")
  @DisplayName("B15 B16 B17 values of the stream are exact")
  void valuesOfTheStreamAreExact(String column) throws SQLException {
    assertExact("stream", column);
  }

  @ParameterizedTest
  @MethodSource("columns")
  void valuesOfRowsThatMoveToAnotherTenantAreExact(String column) throws SQLException {
    assertExact("moved", column);
  }

  private static void assertExact(String how, String column) throws SQLException {
    List<String> source = texts(true, how, column);
    assertThat(source).hasSizeGreaterThan(1);
    assertThat(texts(false, how, column)).isEqualTo(source);
  }
}
