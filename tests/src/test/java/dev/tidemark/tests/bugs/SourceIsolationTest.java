package dev.tidemark.tests.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.gateway.DatabaseConfig;
import dev.tidemark.gateway.Gateway;
import dev.tidemark.gateway.GatewayConfig;
import dev.tidemark.gateway.GatewayStartException;
import dev.tidemark.gateway.TokenKeys;
import dev.tidemark.tests.harness.Servers;
import dev.tidemark.tests.harness.TestPipeline;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The source's documents are as well kept apart as the replica's rows, see {@code IsolationTest}.
 *
 * <p>B36: <a href="https://github.com/msaad00/agent-bom/issues/3665">roles that row security does
 * not bind</a>, <a href="https://github.com/supabase/supabase/pull/48624">TRUNCATE, which no policy
 * binds</a>.
 */
class SourceIsolationTest {

  private static final String ROUTES =
      """
      partitions: 1
      routes:
        - doctype: Note
          target: replica_note
          columns:
            - { name: v, from: v }
      """;

  private static final String DOCUMENTS =
      "create table tidemark_doc(tenant_id text, doctype text, name text, data jsonb, version bigint,"
          + " created_at timestamptz, updated_at timestamptz, primary key (tenant_id, doctype, name));"
          + " alter table tidemark_doc enable row level security, force row level security;";

  private static TestPipeline pipeline;

  @BeforeAll
  static void start() throws Exception {
    pipeline = TestPipeline.start(ROUTES);
    pipeline.catchUp();
  }

  @AfterAll
  static void stop() throws Exception {
    pipeline.close();
  }

  private static GatewayConfig settings(DatabaseConfig source) {
    String role = "tidemark_gateway";
    return GatewayConfig.builder(
            pipeline.routeFile(ROUTES),
            source,
            new DatabaseConfig(
                pipeline.replicaDatabase().jdbcUrl(),
                role,
                Servers.shared().secrets().password(role)),
            new TokenKeys.JwkSet(Servers.shared().issuer().publicJwkSet().toString()))
        .build();
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("B36 a gateway does not start where isolation of the source does not hold")
  @CsvSource(
      delimiter = '|',
      value = {
        "superuser | create role ROLE login superuser password 'p' | is a superuser",
        "bypassrls | create role ROLE login bypassrls password 'p' | has BYPASSRLS",
        "owner     | create role ROLE login password 'p'; alter table tidemark_doc owner to ROLE | is owned by the gateway's role",
        "member    | create role ROLE_owner; create role ROLE login password 'p'; grant ROLE_owner to ROLE; alter table tidemark_doc owner to ROLE_owner | is owned by the gateway's role",
        "truncate  | create role ROLE login password 'p'; grant select, truncate on tidemark_doc to ROLE | grants TRUNCATE",
        "policy    | create role ROLE login password 'p'; grant select on tidemark_doc to ROLE; create policy open on tidemark_doc to ROLE using (true) | permissive policy",
        "none      | create role ROLE login password 'p'; grant select on tidemark_doc to ROLE; alter table tidemark_doc disable row level security | no row-level security",
        "unforced  | create role ROLE login password 'p'; grant select on tidemark_doc to ROLE; alter table tidemark_doc no force row level security | does not force",
        "view      | create role ROLE login password 'p'; alter table tidemark_doc rename to hidden; create view tidemark_doc as select * from hidden; grant select on tidemark_doc to ROLE | is no table",
      })
  void aGatewayDoesNotStart(String what, String sql, String refusal) throws Exception {
    String role = "odd_source_" + what + "_" + pipeline.slot();
    String copy = pipeline.slot() + "_source_" + what;
    var cluster = pipeline.sourceDatabase().cluster();
    cluster.createDatabase(copy);
    try (Connection connection = cluster.connect(copy);
        Statement statement = connection.createStatement()) {
      statement.execute(DOCUMENTS + sql.replace("ROLE", role));

      assertThatThrownBy(
              () ->
                  Gateway.start(settings(new DatabaseConfig(cluster.jdbcUrl(copy), role, "p")))
                      .close())
          .isInstanceOf(GatewayStartException.class)
          .hasMessageContaining("source database")
          .hasMessageContaining(refusal)
          .hasMessageContaining(
              refusal.startsWith("is a ") || refusal.startsWith("has ") ? role : "tidemark_doc");
      statement.execute("drop owned by " + role + " cascade; drop role " + role);
    }
  }

  @Test
  @DisplayName("B36 a gateway starts where isolation of the source holds")
  void aGatewayStarts() throws Exception {
    String role = "tidemark_gateway";
    DatabaseConfig source =
        new DatabaseConfig(
            pipeline.sourceDatabase().jdbcUrl(), role, Servers.shared().secrets().password(role));

    try (Gateway gateway = Gateway.start(settings(source))) {
      assertThat(gateway.port()).isPositive();
    }
  }

  @Test
  @DisplayName("B36 the tests' own gateway is bound by row security")
  void theTestsThemselvesAreBound() throws Exception {
    assertThat(
            pipeline.source(
                "select rolsuper or rolbypassrls from pg_roles where rolname = 'tidemark_gateway'"))
        .containsExactly("f");
    assertThat(
            pipeline.source(
                "select distinct usename from pg_stat_activity where datname = current_database()"
                    + " and application_name = 'tidemark-gateway'"))
        .containsExactly("tidemark_gateway");
  }
}
