package dev.tidemark.tests.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.tests.harness.TestPipeline;
import java.sql.SQLException;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each value is in the replica what it is in the source, whether it came by the snapshot or by the
 * stream. The settings of the source's sessions are unusual on purpose, and the JVM and the two
 * databases are in three time zones: what travels must not depend on them.
 *
 * <ul>
 *   <li>B15: <a href="https://github.com/confluentinc/kafka-connect-jdbc/issues/1237">numeric
 *       without scale</a>, <a href="https://github.com/PostgREST/postgrest/issues/498">bigint in
 *       JSON</a>
 *   <li>B16: <a href="https://github.com/risingwavelabs/risingwave/issues/16895">year 1</a>, <a
 *       href="https://github.com/debezium/debezium/pull/7382">infinity</a>, <a
 *       href="https://github.com/debezium/debezium/pull/7540">24:00 and timetz</a>, <a
 *       href="https://github.com/debezium/debezium/pull/4363">the JVM's zone</a>
 *   <li>B17: <a href="https://github.com/xataio/pgstream/issues/1089">bytea as the text of its
 *       hex</a>
 * </ul>
 */
@Tag("core")
class ValueTest {

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
          new Sample("exact", "jsonb", "numeric", List.of("'{\"n\":9007199254740993.10}'")),
          new Sample("exact_big", "jsonb", "bigint", List.of("'{\"n\":9007199254740993}'")),
          new Sample("raw", "json", "text", List.of("'{\"a\" : 1.10 , \"a\":2}'")),
          new Sample("nums", "numeric[]", List.of("'{1.500,NaN,NULL}'")),
          new Sample("days", "date[]", List.of("'{infinity,0044-03-15 BC,NULL}'")),
          new Sample("bins", "bytea[]", List.of("array['\\x00'::bytea, null, '\\x5c22']")),
          new Sample("stamps", "timestamptz[]", List.of("'{infinity,\"2024-03-31 02:30+02\"}'")));

  private static final TimeZone JVM = TimeZone.getDefault();

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
      routes.append(
          "      - { name: %1$s, from: %1$s%2$s"
              .formatted(sample.column(), sample.column().startsWith("exact") ? ".n" : ""));
      routes.append(sample.declared().isEmpty() ? " }\n" : ", type: " + sample.declared() + " }\n");
      table.append(", %s %s".formatted(sample.column(), sample.type()));
    }
    TimeZone.setDefault(TimeZone.getTimeZone("America/St_Johns"));
    pipeline =
        TestPipeline.start(
            routes.toString(),
            List.of(
                """
            do $$ begin
              execute format('alter database %I set timezone = %L', current_database(), 'Asia/Kathmandu');
              execute format('alter database %I set datestyle = %L', current_database(), 'SQL, DMY');
              execute format('alter database %I set bytea_output = %L', current_database(), 'escape');
              execute format('alter database %I set extra_float_digits = %L', current_database(), '-3');
              execute format('alter database %I set intervalstyle = %L', current_database(), 'sql_standard');
            end $$""",
                table + ")", inserts("snapshot")),
            List.of(
                """
                do $$ begin
                  execute format('alter database %I set timezone = %L', current_database(), 'Pacific/Chatham');
                  execute format('alter database %I set datestyle = %L', current_database(), 'German');
                end $$"""));
    pipeline.catchUp();
    pipeline.source(inserts("stream"));
    // Once more through the old row of an update and of a move.
    pipeline.source(inserts("moved"));
    pipeline.source("update sample set tenant = 'globex' where id like 'moved%'");
    pipeline.catchUp();
  }

  @AfterAll
  static void stop() throws Exception {
    TimeZone.setDefault(JVM);
    pipeline.close();
  }

  /** As PostgreSQL itself writes them, with settings that lose nothing. */
  private static List<String> texts(boolean source, String how, String column) throws SQLException {
    String sql =
        ("set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set bytea_output = 'hex';"
                + " set extra_float_digits = 1; set intervalstyle = 'postgres';"
                + " select (id, %s)::text from %s where id ~ '^%s-(%s|null)' order by id")
            .formatted(column, source ? "sample" : "replica_sample", how, column);
    return source
        ? pipeline.source(sql.replaceAll("exact(_big)?(?=\\))", "exact$1 ->> 'n'"))
        : pipeline.replica(sql);
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "num-0   | 1.500",
        "num-1   | \"NaN\"",
        "num-2   | \"Infinity\"",
        "num-3   | 0.000000000000000001",
        "num-4   | 12345678901234567890.123456789",
        "big-0   | 9007199254740993",
        "big-1   | -9223372036854775808",
        "doc-0   | {\"a\": [null, \"\\\"\"], \"n\": 9007199254740993.10}",
        "exact-0 | 9007199254740993.10",
        "day-0   | \"infinity\"",
        "day-1   | \"0044-03-15 BC\"",
        "ts-1    | \"0001-01-01 00:00:00\"",
        "ts-3    | \"4713-01-01 00:00:00 BC\"",
        "tstz-0  | \"infinity\"",
        "tstz-2  | \"2024-03-31 00:30:00+00\"",
        "noon-0  | \"24:00:00\"",
        "clock-0 | \"24:00:00+05:30\"",
        "bin-0   | \"3q2+7w==\"",
        "bin-1   | \"\"",
        "bin-3   | \"XHg=\"",
        "txt-0   | \"\"",
        "null    | null",
      })
  @DisplayName("B15 B16 B17 HTTP shows values in the documented form")
  void httpShowsValuesInTheDocumentedForm(String id, String shown) throws Exception {
    for (String how : List.of("snapshot", "stream")) {
      String body =
          pipeline.caller("acme").get("/api/replica/replica_sample/" + how + "-" + id).body();
      String column = id.equals("null") ? "num" : id.replaceAll("-.*", "");

      assertThat(body).contains("\"" + column + "\":" + shown);
    }
  }
}
