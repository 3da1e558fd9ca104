package dev.tidemark.tests.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.tidemark.gateway.DatabaseConfig;
import dev.tidemark.gateway.Gateway;
import dev.tidemark.gateway.GatewayConfig;
import dev.tidemark.gateway.GatewayStartException;
import dev.tidemark.gateway.TokenKeys;
import dev.tidemark.standalone.client.Answer;
import dev.tidemark.standalone.data.DataFolder;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.tests.harness.Caller;
import dev.tidemark.tests.harness.Servers;
import dev.tidemark.tests.harness.TestPipeline;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.RouteFileParser;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Nobody sees a row of another tenant, whatever fails and whoever connects.
 *
 * <ul>
 *   <li>B35: <a href="https://github.com/stelescuraul/rls/pull/176">the tenant of a failed request
 *       stays on its connection</a>
 *   <li>B36: <a href="https://github.com/msaad00/agent-bom/issues/3665">roles that row security
 *       does not bind</a>, <a href="https://github.com/supabase/dbdev/pull/89">views</a>
 *   <li>B37: <a href="https://github.com/aspnetboilerplate/aspnetboilerplate/issues/5691">the
 *       tenant of a header</a>, <a href="https://github.com/rubentalstra/FerroEHR/issues/3111">a
 *       default tenant</a>
 * </ul>
 */
class IsolationTest {

  private static final String ROWS = TenantLines.ROWS;

  private static TestPipeline pipeline;

  @BeforeAll
  static void start() throws Exception {
    pipeline = TenantLines.start();
  }

  @AfterAll
  static void stop() throws Exception {
    pipeline.close();
  }

  private static void assertSeparate() throws Exception {
    assertThat(pipeline.stranger().get(ROWS).status()).isEqualTo(401);
    for (String tenant : List.of("acme", "globex")) {
      Answer rows = pipeline.caller(tenant).get(ROWS);
      assertThat(rows.status()).isEqualTo(200);
      assertThat(rows.json().path("rows")).hasSize(1);
      assertThat(rows.body()).contains("of " + tenant);
    }
    assertThat(pipeline.caller("nobody").get(ROWS).json().path("rows")).isEmpty();
  }

  /** More requests than the pool has connections, so that each of them is used again. */
  @Test
  @DisplayName("B35 a request that fails leaves no tenant on its pooled connection")
  void aRequestThatFailsLeavesNoTenant() throws Exception {
    Caller acme = pipeline.caller("acme");
    for (int i = 0; i < 40; i++) {
      assertThat(acme.get(ROWS + "?id=abc").status()).isEqualTo(400);
      assertThat(acme.get(ROWS + "/99999999999999999999").status()).isEqualTo(400);
      assertThat(acme.put("/api/doc/Note/N", "{\"a\":\"\\u0000\"}").status()).isEqualTo(422);
      if (i % 10 == 0) {
        hangUp();
        assertSeparate();
      }
    }
    assertSeparate();
  }

  /** Goes away while the gateway waits for a position. */
  private static void hangUp() throws Exception {
    URI gateway = URI.create(pipeline.services().gatewayUrl());
    pipeline.services().projector().pause();
    String position = pipeline.source("select pg_current_wal_insert_lsn() + 1").getFirst();
    try (Socket socket = new Socket(gateway.getHost(), gateway.getPort())) {
      socket
          .getOutputStream()
          .write(
              ("GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nX-Required-LSN: %s\r\nPrefer: wait=30\r\n\r\n"
                      .formatted(ROWS, pipeline.caller("acme").token(), position))
                  .getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
    }
    pipeline.services().projector().resume();
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("B36 a gateway does not start where isolation does not hold")
  @CsvSource(
      delimiter = '|',
      value = {
        "superuser  | create role ROLE login superuser password 'p'    | is a superuser",
        "bypassrls  | create role ROLE login bypassrls password 'p'    | has BYPASSRLS",
        "createrole | create role ROLE login createrole password 'p'   | has CREATEROLE",
        "grants     | create role ROLE login password 'p'; grant all on replica_line to ROLE | grants DELETE, INSERT",
        "owner      | create role ROLE login password 'p'; alter table replica_line owner to ROLE | is owned by the gateway's role",
        "policy     | create role ROLE login password 'p'; grant select on replica_line to ROLE; create policy open on replica_line to ROLE using (true) | permissive policy",
        "unforced   | create role ROLE login password 'p'; grant select on replica_line to ROLE; alter table replica_line no force row level security | does not force",
        "view       | create role ROLE login password 'p'; alter table replica_line rename to hidden; create view replica_line as select * from hidden; grant select on replica_line to ROLE | is no table",
      })
  void aGatewayDoesNotStart(String what, String sql, String refusal) throws Exception {
    String role = "odd_" + what + "_" + pipeline.slot();
    String password = Servers.shared().secrets().password("tidemark_gateway");
    // On a copy of the replica, so that the pipeline itself goes on.
    String copy = pipeline.slot() + "_" + what;
    pipeline.services().projector().pause();
    var cluster = pipeline.replicaDatabase().cluster();
    cluster.createDatabase(copy);
    try (var connection = cluster.connect(copy);
        var statement = connection.createStatement()) {
      statement.execute(
          "create table replica_line(tenant_id text, id int, v text, source_lsn pg_lsn,"
              + " updated_at timestamptz, tidemark_generation int);"
              + " alter table replica_line enable row level security, force row level security");
      statement.execute(sql.replace("ROLE", role));
      RouteFile routes =
          RouteFileParser.parse("r.yaml", "slot: x\npublication: x\n" + TenantLines.ROUTES);

      assertThatThrownBy(
              () ->
                  Gateway.start(
                          GatewayConfig.builder(
                                  routes,
                                  new DatabaseConfig(
                                      pipeline.sourceDatabase().jdbcUrl(),
                                      "tidemark_gateway",
                                      password),
                                  new DatabaseConfig(cluster.jdbcUrl(copy), role, "p"),
                                  new TokenKeys.JwkSet(
                                      Servers.shared().issuer().publicJwkSet().toString()))
                              .build())
                      .close())
          .isInstanceOf(GatewayStartException.class)
          .hasMessageContaining(refusal)
          .hasMessageContaining(
              refusal.startsWith("is a") || refusal.startsWith("has ") ? role : "replica_line");
      statement.execute("drop owned by " + role + " cascade; drop role " + role);
    } finally {
      pipeline.services().projector().resume();
    }
  }

  @Test
  @DisplayName("B36 row security that is taken away while the gateway runs is on the health page")
  void rowSecurityThatIsTakenAway() throws Exception {
    pipeline.replica("alter table replica_line no force row level security");
    try {
      await()
          .atMost(TestPipeline.LIMIT)
          .untilAsserted(
              () ->
                  assertThat(pipeline.stranger().get("/actuator/health").body())
                      .contains("replica_line does not force row-level security"));
    } finally {
      pipeline.replica("alter table replica_line force row level security");
    }
  }

  private static JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer(LocalIssuer.ISSUER)
        .audience(LocalIssuer.AUDIENCE)
        .subject("somebody")
        .claim("roles", List.of())
        .expirationTime(Date.from(Instant.now().plusSeconds(600)));
  }

  private static String signed(ECKey key, JWTClaimsSet claims) throws Exception {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(), claims);
    token.sign(new ECDSASigner(key));
    return token.serialize();
  }

  private static ECKey key() throws Exception {
    return ECKey.parse(Files.readString(DataFolder.issuerFile(Servers.shared().folder())));
  }

  static Stream<String> tokensThatNameNoTenant() throws Exception {
    ECKey key = key();
    ECKey other = new ECKeyGenerator(Curve.P_256).keyID(key.getKeyID()).generate();
    return Stream.of(
        signed(key, claims().build()),
        signed(key, claims().claim("tenant", "").build()),
        signed(key, claims().claim("tenant", " ").build()),
        signed(key, claims().claim("tenant", "acme ").build()),
        signed(key, claims().claim("tenant", List.of("acme", "globex")).build()),
        signed(key, claims().claim("tenant", 1).build()),
        signed(key, claims().claim("tenant", "*").build()),
        signed(key, claims().claim("tenant_id", "acme").build()),
        signed(
            key,
            claims()
                .claim("tenant", "acme")
                .expirationTime(Date.from(Instant.now().minusSeconds(61)))
                .build()),
        signed(other, claims().claim("tenant", "acme").build()),
        new PlainJWT(claims().claim("tenant", "acme").build()).serialize());
  }

  @ParameterizedTest
  @MethodSource("tokensThatNameNoTenant")
  @DisplayName("B37 a token without exactly one tenant, or that nobody vouches for, reads nothing")
  void aTokenWithoutATenantReadsNothing(String token) throws Exception {
    Caller caller = new Caller(pipeline.services().gatewayUrl(), token);
    for (String path : List.of(ROWS, "/api/doc/Note/N", "/api/sync/status", "/api/sync/stream")) {
      assertThat(caller.get(path).status()).as(path).isIn(401, 403);
    }
  }

  @Test
  @DisplayName("B37 the signed tenant counts, whatever a header, a parameter or a path says")
  void theSignedTenantCounts() throws Exception {
    Caller acme = pipeline.caller("acme");
    Answer plain = acme.get(ROWS);

    assertThat(acme.get(ROWS, "X-Tenant-Id", "globex", "X-Tenant", "globex").json().path("rows"))
        .isEqualTo(plain.json().path("rows"));
    assertThat(acme.get(ROWS + "?tenant=globex").status()).isEqualTo(400);
    assertThat(acme.get(ROWS + "?tenant_id=globex").body()).doesNotContain("of globex");
    assertThat(acme.get(ROWS + "/2").status()).isEqualTo(404);
    for (String tenant : Arrays.asList("ACME", "unknown")) {
      Answer rows = pipeline.caller(tenant).get(ROWS);
      assertThat(rows.status()).isEqualTo(200);
      assertThat(rows.json().path("rows")).isEmpty();
    }
  }
}
