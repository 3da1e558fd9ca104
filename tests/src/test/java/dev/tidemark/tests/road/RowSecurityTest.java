package dev.tidemark.tests.road;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.standalone.EmbeddedDatabase;
import dev.tidemark.tests.harness.Servers;
import dev.tidemark.tests.harness.TestPipeline;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the database itself lets the running services' roles see and do, on tables in use. */
class RowSecurityTest {

  private static final String ROUTES =
      """
      partitions: 4
      routes:
        - doctype: Waybill
          target: replica_waybill
          columns:
            - { name: status, from: status }
        - table: line
          tenant: tenant
          target: replica_line
          columns:
            - { name: v, from: v }
        - table: country
          target: replica_country
          columns:
            - { name: v, from: v }
      """;

  private static final List<String> TARGETS =
      List.of("replica_waybill", "replica_line", "replica_country");

  private static TestPipeline pipeline;

  @BeforeAll
  static void start() throws Exception {
    pipeline =
        TestPipeline.start(
            ROUTES,
            "create table line(id int primary key, tenant text not null, v int)",
            "create table country(id int primary key, v int)",
            "insert into line values (1, 'acme', 1), (2, 'globex', 1)",
            "insert into country values (1, 1)");
    pipeline.caller("acme").put("/api/doc/Waybill/W", "{\"status\":\"acme's\"}");
    pipeline.caller("globex").put("/api/doc/Waybill/W", "{\"status\":\"globex's\"}");
    pipeline.catchUp();
  }

  @AfterAll
  static void stop() throws Exception {
    pipeline.close();
  }

  private static Connection connect(EmbeddedDatabase database, String role) throws SQLException {
    return DriverManager.getConnection(
        database.jdbcUrl(), role, Servers.shared().secrets().password(role));
  }

  private static List<String> query(EmbeddedDatabase database, String role, String... statements)
      throws SQLException {
    try (Connection connection = connect(database, role);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      List<String> values = new ArrayList<>();
      for (String sql : statements) {
        values.clear();
        if (statement.execute(sql)) {
          try (ResultSet row = statement.getResultSet()) {
            while (row.next()) {
              values.add(row.getString(1));
            }
          }
        }
      }
      return values;
    }
  }

  private static String bind(String tenant) {
    return "select set_config('tidemark.tenant', '" + tenant + "', true)";
  }

  @ParameterizedTest
  @ValueSource(strings = {"tidemark_projector", "tidemark_gateway"})
  void withoutABoundTenantNoRowIsVisible(String role) throws SQLException {
    for (String target : TARGETS) {
      String count = "select count(*) from " + target;
      assertThat(pipeline.replica(count).getFirst()).isNotEqualTo("0");
      assertThat(query(pipeline.replicaDatabase(), role, count)).containsExactly("0");
      assertThat(query(pipeline.replicaDatabase(), role, bind(""), count)).containsExactly("0");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tidemark_projector", "tidemark_gateway"})
  void aBoundTenantSeesItsRowsOnly(String role) throws SQLException {
    assertThat(
            query(
                pipeline.replicaDatabase(),
                role,
                bind("acme"),
                "select distinct tenant_id from (select tenant_id from replica_waybill"
                    + " union select tenant_id from replica_line"
                    + " union select tenant_id from replica_country) t"))
        .containsExactly("acme");
  }

  @Test
  void theTenantIsForgottenWithItsTransaction() throws SQLException {
    assertThat(
            query(
                pipeline.replicaDatabase(),
                "tidemark_gateway",
                bind("acme"),
                "commit",
                "select count(*) from replica_line"))
        .containsExactly("0");
  }

  @Test
  void withTheWrongTenantBoundAWriteFails() {
    for (String insert :
        List.of(
            "insert into replica_waybill (tenant_id, name, source_lsn, updated_at, tidemark_generation)"
                + " values ('globex', 'X', '0/1', now(), 1)",
            "insert into replica_line (tenant_id, id, source_lsn, updated_at, tidemark_generation)"
                + " values ('globex', 9, '0/1', now(), 1)",
            "update replica_line set tenant_id = 'globex'")) {
      assertThatThrownBy(
              () -> query(pipeline.replicaDatabase(), "tidemark_projector", bind("acme"), insert))
          .hasMessageContaining("row-level security");
    }
  }

  @Test
  void withTheWrongTenantBoundADocumentCanNeitherBeReadNorWritten() throws SQLException {
    assertThat(
            query(
                pipeline.sourceDatabase(),
                "tidemark_gateway",
                bind("acme"),
                "select distinct tenant_id from tidemark_doc"))
        .containsExactly("acme");
    assertThatThrownBy(
            () ->
                query(
                    pipeline.sourceDatabase(),
                    "tidemark_gateway",
                    bind("acme"),
                    "insert into tidemark_doc (tenant_id, doctype, name, data, version, created_at,"
                        + " updated_at) values ('globex', 'Waybill', 'X', '{}', 1, now(), now())"))
        .hasMessageContaining("row-level security");
  }

  @Test
  void theGatewayCannotWriteReplicaTables() {
    for (String target : TARGETS) {
      for (String sql :
          List.of(
              "insert into %s select * from %1$s",
              "update %s set updated_at = now()", "delete from %s", "truncate %s")) {
        assertThatThrownBy(
                () ->
                    query(
                        pipeline.replicaDatabase(),
                        "tidemark_gateway",
                        bind("acme"),
                        sql.replace("%s", target).replace("%1$s", target)))
            .as(sql)
            .hasMessageContaining("permission denied");
      }
    }
  }

  @Test
  void theProjectorCannotTruncateWhichNoPolicyBinds() {
    assertThatThrownBy(
            () -> query(pipeline.replicaDatabase(), "tidemark_projector", "truncate replica_line"))
        .hasMessageContaining("permission denied");
  }

  @Test
  void rowSecurityIsForcedOnEveryReplicaTable() throws SQLException {
    assertThat(
            pipeline.replica(
                "select relname from pg_class where relnamespace = 'public'::regnamespace"
                    + " and relkind = 'r' and relrowsecurity and relforcerowsecurity"
                    + " and relname like 'replica%'"))
        .containsExactlyInAnyOrderElementsOf(TARGETS);
  }

  @Test
  void noRoleOfTheServicesIsSuperuserOrBypassesRowSecurity() throws SQLException {
    String unbound =
        "select rolname from pg_roles where rolname like 'tidemark%' and (rolsuper or rolbypassrls"
            + " or rolcreaterole or rolcreatedb)";
    assertThat(pipeline.source(unbound)).isEmpty();
    assertThat(pipeline.replica(unbound)).isEmpty();
    String owned =
        "select count(*) from pg_class where relowner = any (select oid from pg_roles"
            + " where rolname in ('tidemark_projector', 'tidemark_gateway', 'tidemark_capture'))";
    assertThat(pipeline.source(owned)).containsExactly("0");
    assertThat(pipeline.replica(owned)).containsExactly("0");
  }
}
