package dev.tidemark.tests.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.gateway.DatabaseConfig;
import dev.tidemark.gateway.Gateway;
import dev.tidemark.gateway.GatewayConfig;
import dev.tidemark.gateway.TokenKeys;
import dev.tidemark.standalone.client.Answer;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.tests.harness.Caller;
import dev.tidemark.tests.harness.Servers;
import dev.tidemark.tests.harness.TestPipeline;
import dev.tidemark.tests.harness.TransactionPooler;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * No tenant stays on a connection that others use next: the gateway's own pool of one, and a pooler
 * between it and the databases that hands connections on between transactions.
 *
 * <p>B35: <a href="https://github.com/stelescuraul/rls/pull/176">a failed query returns the
 * connection with the setting</a>, <a href="https://github.com/prisma/orm/issues/20407">the second
 * call finds an empty text where the first found none</a>.
 */
class PooledTenantTest {

  private static final String ROWS = TenantLines.ROWS;
  private static final String ROLE = "tidemark_gateway";
  private static final int ROUNDS = 10;

  private static TestPipeline pipeline;

  @BeforeAll
  static void start() throws Exception {
    pipeline = TenantLines.start();
  }

  @AfterAll
  static void stop() throws Exception {
    pipeline.close();
  }

  private static GatewayConfig oneConnection() throws Exception {
    String password = Servers.shared().secrets().password(ROLE);
    return GatewayConfig.builder(
            pipeline.routeFile(TenantLines.ROUTES),
            new DatabaseConfig(pipeline.sourceDatabase().jdbcUrl(), ROLE, password, 1),
            new DatabaseConfig(pipeline.replicaDatabase().jdbcUrl(), ROLE, password, 1),
            new TokenKeys.JwkSet(Servers.shared().issuer().publicJwkSet().toString()))
        .audience(LocalIssuer.AUDIENCE)
        .build();
  }

  @Test
  @DisplayName("B35 on the one connection of a pool no tenant stays")
  void onOneConnection() throws Exception {
    try (Gateway gateway = Gateway.start(oneConnection())) {
      for (int i = 0; i < ROUNDS; i++) {
        fail(gateway, "acme");
        assertSeparate(gateway, "globex");
        assertSeparate(gateway, "nobody");
      }
    }
  }

  @Test
  @DisplayName(
      "B35 through a pooler that hands connections on between transactions no tenant stays")
  void throughAPooler() throws Exception {
    try (TransactionPooler source = new TransactionPooler(pipeline.sourceDatabase().jdbcUrl());
        TransactionPooler replica = new TransactionPooler(pipeline.replicaDatabase().jdbcUrl());
        Gateway gateway =
            Gateway.start(pipeline.gateway(source.jdbcUrl(), replica.jdbcUrl()).build())) {
      List<Future<?>> callers = new ArrayList<>();
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (String tenant : List.of("acme", "globex", "nobody")) {
          callers.add(
              threads.submit(
                  () -> {
                    for (int i = 0; i < ROUNDS; i++) {
                      fail(gateway, tenant);
                      assertSeparate(gateway, tenant);
                    }
                    return null;
                  }));
        }
        callers.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < ROUNDS; i++) {
                    assertNobodyIsBound(replica.jdbcUrl(), "replica_line");
                    assertNobodyIsBound(source.jdbcUrl(), "tidemark_doc");
                  }
                  return null;
                }));
      }
      for (Future<?> caller : callers) {
        caller.get();
      }
      assertThat(source.handovers()).isPositive();
      assertThat(replica.handovers()).isGreaterThan(ROUNDS);
    }
  }

  /** What a read of the row must end in; the ids are texts that PostgreSQL reads as numbers. */
  private enum Asked {
    OWN("acme", "1", 200),
    OWN_WRITTEN_OTHERWISE("acme", "%20001", 200),
    FOREIGN("acme", "2", 404),
    OF_ANOTHER("globex", "2", 200),
    NOT_THERE("globex", "777", 404),
    NO_NUMBER("acme", "abc", 400),
    QUOTED("globex", "%7B%222%22%7D", 400),
    TOO_LARGE("globex", "99999999999", 400);

    private final String tenant;
    private final String id;
    private final int status;

    Asked(String tenant, String id, int status) {
      this.tenant = tenant;
      this.id = id;
      this.status = status;
    }
  }

  @Test
  @DisplayName("B35 readers that share the queries of one connection get their own answers")
  void readersThatShareQueries() throws Exception {
    try (Gateway gateway = Gateway.start(oneConnection());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> readers = new ArrayList<>();
      for (Asked asked : Asked.values()) {
        Caller caller = pipeline.caller(gateway, asked.tenant);
        for (int reader = 0; reader < 5; reader++) {
          readers.add(
              threads.submit(
                  () -> {
                    for (int i = 0; i < ROUNDS; i++) {
                      Answer answer = caller.get(ROWS + "/" + asked.id);
                      assertThat(answer.status()).as(asked.name()).isEqualTo(asked.status);
                      if (asked.status == 200) {
                        assertThat(answer.json().path("v").asText())
                            .isEqualTo("of " + asked.tenant);
                      }
                    }
                    return null;
                  }));
        }
      }
      for (Future<?> reader : readers) {
        reader.get();
      }
    }
  }

  /** Fails in the midst of a statement, and in the midst of a transaction. */
  private static void fail(Gateway gateway, String tenant) throws Exception {
    Caller caller = pipeline.caller(gateway, tenant);
    assertThat(caller.get(ROWS + "?id=abc").status()).isEqualTo(400);
    String nul = "{\"a\":\"\\u0000\"}";
    assertThat(caller.put("/api/doc/Note/" + tenant, nul).status()).isEqualTo(422);
    assertThat(caller.put("/api/doc/Note/" + tenant, nul, "If-None-Match", "*").status())
        .isIn(412, 422);
    assertThat(caller.put("/api/doc/Note/" + tenant, "{\"of\":\"" + tenant + "\"}").status())
        .isIn(200, 201);
    assertThat(caller.patch("/api/doc/Note/" + tenant, nul).status()).isEqualTo(422);
  }

  private static void assertSeparate(Gateway gateway, String tenant) throws Exception {
    Caller caller = pipeline.caller(gateway, tenant);
    Answer rows = caller.get(ROWS);
    assertThat(rows.status()).isEqualTo(200);
    assertThat(rows.json().path("rows")).hasSize(tenant.equals("nobody") ? 0 : 1);
    if (!tenant.equals("nobody")) {
      assertThat(rows.json().at("/rows/0/v").asText()).isEqualTo("of " + tenant);
    }
    Answer foreign = caller.get("/api/doc/Note/acme");
    assertThat(foreign.status()).isEqualTo(tenant.equals("acme") ? 200 : 404);
  }

  /** What a request that forgot to bind its tenant would see. */
  private static void assertNobodyIsBound(String url, String table) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(url, ROLE, Servers.shared().secrets().password(ROLE));
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select count(*), coalesce(current_setting('tidemark.tenant', true), '') from "
                    + table)) {
      row.next();
      assertThat(row.getString(2)).isEmpty();
      assertThat(row.getInt(1)).isZero();
    }
  }
}
