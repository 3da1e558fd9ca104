package dev.tidemark.gateway.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tidemark.gateway.problem.ProblemException;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.gateway.replica.ReplicaColumn.Kind;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.route.TableName;
import dev.tidemark.topics.route.TableRoute;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadSqlTest {

  private static final ReplicaColumn ID = new ReplicaColumn("Id\"x", "bigint", Kind.NUMBER, false);
  private static final ReplicaColumn LINE =
      new ReplicaColumn("line", "integer", Kind.NUMBER, false);
  private static final ReplicaColumn CITY = new ReplicaColumn("city", "text", Kind.TEXT, false);
  private static final ReplicaTable TABLE =
      new ReplicaTable(
          new TableRoute(
              new TableName("public", "hub"),
              Optional.of("tenant"),
              List.of(),
              "Odd\"t",
              List.of()),
          true,
          List.of(ID, LINE, CITY),
          List.of(ID, LINE));

  @Test
  void hasAParameterForEveryQuestionMark() {
    ReadRequest request =
        ReadRequest.parse(
            TABLE,
            Map.of(
                "city", new String[] {"Hanoi"},
                "limit", new String[] {"7"},
                "cursor", new String[] {new Cursor("Odd\"t", List.of("1", "2")).text()}));

    ReadSql sql = ReadSql.of(TABLE, request, "acme", "care", 3, Lsn.parse("0/5"), 1);

    assertThat(sql.text().chars().filter(c -> c == '?').count()).isEqualTo(sql.parameters().size());
    assertThat(sql.parameters())
        .containsExactly(
            "acme",
            "Odd\"t",
            TABLE.route().fingerprint(),
            "care",
            "3",
            "{\"Id\\\"x\",\"line\"}",
            "care",
            "Odd\"t",
            "0/5",
            "Hanoi",
            "1",
            "2",
            "8");
  }

  private static final ReplicaTable BY_NAME =
      new ReplicaTable(TABLE.route(), true, List.of(CITY, LINE), List.of(CITY));

  @Test
  void readsManyRowsByTheirKeysWithOneTextForAll() {
    ReadSql one = ReadSql.ofKeys(BY_NAME, List.of("a"), "acme", "care", 3, Lsn.parse("0/5"));
    ReadSql two =
        ReadSql.ofKeys(
            BY_NAME,
            List.of("{\"x\\\",NULL}", "'; drop table x; --"),
            "globex",
            "care",
            1,
            Lsn.ZERO);

    assertThat(one.text().chars().filter(c -> c == '?').count()).isEqualTo(one.parameters().size());
    assertThat(two.text()).isEqualTo(one.text());
    assertThat(one.text())
        .contains("where t.tenant_id = b.tenant and w.ready and w.lsn >= ?::pg_lsn")
        .contains("unnest(?::text[])")
        .contains("t.\"city\" = k.v limit 1");
    assertThat(one.parameters())
        .containsExactly(
            "acme",
            "Odd\"t",
            TABLE.route().fingerprint(),
            "care",
            "3",
            "{\"a\"}",
            "{\"city\"}",
            "care",
            "Odd\"t",
            "0/5");
    assertThat(two.parameters().get(5))
        .isEqualTo("{\"{\\\"x\\\\\\\",NULL}\",\"'; drop table x; --\"}");
  }

  @Test
  void onlyReadsOfOneKeyCanBeReadTogether() {
    assertThat(ReadRequest.ofKey(BY_NAME, "a").isOfKey(BY_NAME)).isTrue();
    assertThat(ReadRequest.parse(BY_NAME, Map.of("city", new String[] {"a"})).isOfKey(BY_NAME))
        .isTrue();
    assertThat(ReadRequest.parse(BY_NAME, Map.of("line", new String[] {"1"})).isOfKey(BY_NAME))
        .isFalse();
    assertThat(
            ReadRequest.parse(
                    BY_NAME, Map.of("city", new String[] {"a"}, "line", new String[] {"1"}))
                .isOfKey(BY_NAME))
        .isFalse();
    assertThat(ReadRequest.parse(TABLE, Map.of("line", new String[] {"1"})).isOfKey(TABLE))
        .isFalse();
  }

  @Test
  void b20QuotesIdentifiersAndKeepsValuesOutOfTheText() {
    ReadRequest request =
        ReadRequest.parse(TABLE, Map.of("city", new String[] {"'; drop table x; --"}));

    String text = ReadSql.of(TABLE, request, "a'b", "care", 0, Lsn.ZERO, 1).text();

    assertThat(text)
        .contains("from \"public\".\"Odd\"\"t\" t")
        .contains("t.\"Id\"\"x\"")
        .contains("t.\"city\" = ?::text")
        .doesNotContain("drop table")
        .doesNotContain("a'b");
  }

  @Test
  void letsTheRowsDependOnTheBoundTenantAndOnTheGate() {
    String text =
        ReadSql.of(TABLE, ReadRequest.parse(TABLE, Map.of()), "acme", "care", 0, Lsn.ZERO, 1)
            .text();

    assertThat(text)
        .contains("where t.tenant_id = b.tenant and w.ready and w.lsn >= ?::pg_lsn")
        .contains("left join lateral")
        .contains("limit ?::bigint");
  }

  @ParameterizedTest
  @CsvSource({
    "tenant,globex,UNKNOWN_COLUMN",
    "tenant_id,globex,UNKNOWN_COLUMN",
    "tidemark_generation,1,UNKNOWN_COLUMN",
    "City,Hanoi,UNKNOWN_COLUMN",
    "limit,0,BAD_PARAMETER",
    "limit,1001,BAD_PARAMETER",
    "limit,-1,BAD_PARAMETER",
    "limit,99999999999,BAD_PARAMETER",
    "limit,ten,BAD_PARAMETER",
    "cursor,x,BAD_PARAMETER",
  })
  void refusesParametersThatItDoesNotKnow(String name, String value, ProblemKind kind) {
    refused(kind, () -> ReadRequest.parse(TABLE, Map.of(name, new String[] {value})));
  }

  @Test
  void refusesTheSameColumnTwiceAndNulCharacters() {
    refused(
        ProblemKind.BAD_PARAMETER,
        () -> ReadRequest.parse(TABLE, Map.of("city", new String[] {"a", "b"})));
    refused(
        ProblemKind.BAD_VALUE,
        () -> ReadRequest.parse(TABLE, Map.of("city", new String[] {"a\0"})));
  }

  @Test
  void refusesOneValueForAKeyOfTwoColumns() {
    refused(ProblemKind.COMPOSITE_KEY, () -> ReadRequest.ofKey(TABLE, "1"));
  }

  private static void refused(ProblemKind kind, Runnable request) {
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(request::run)
        .satisfies(e -> assertThat(e.problem().kind()).isEqualTo(kind));
  }
}
