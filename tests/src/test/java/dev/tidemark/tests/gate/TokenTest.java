package dev.tidemark.tests.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.tidemark.standalone.client.Answer;
import dev.tidemark.standalone.data.DataFolder;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.tests.harness.BareGateway;
import dev.tidemark.tests.harness.Servers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which tokens are refused, and that a caller learns nothing of other tenants. */
class TokenTest {

  private static final String SOME_TENANT = "acme";

  private static BareGateway gateway;

  @BeforeAll
  static void start() throws Exception {
    gateway = BareGateway.start(builder -> builder);
    gateway.rows(SOME_TENANT, 3);
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static ECKey key() throws Exception {
    return ECKey.parse(Files.readString(DataFolder.issuerFile(Servers.shared().folder())));
  }

  private static JWTClaimsSet claims(String name, @Nullable Object value) {
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", LocalIssuer.ISSUER);
    claims.put("aud", LocalIssuer.AUDIENCE);
    claims.put("sub", "somebody");
    claims.put("tenant", SOME_TENANT);
    claims.put("roles", List.of("reader"));
    claims.put("exp", Date.from(Instant.now().plusSeconds(600)));
    if (value == null) {
      claims.remove(name);
    } else {
      claims.put(name, value);
    }
    JWTClaimsSet.Builder builder = new JWTClaimsSet.Builder();
    claims.forEach(builder::claim);
    return builder.build();
  }

  private static String signed(JWSAlgorithm algorithm, JWSSigner signer, JWTClaimsSet claims)
      throws Exception {
    SignedJWT token =
        new SignedJWT(new JWSHeader.Builder(algorithm).keyID(key().getKeyID()).build(), claims);
    token.sign(signer);
    return token.serialize();
  }

  private static String good(JWTClaimsSet claims) throws Exception {
    return signed(JWSAlgorithm.ES256, new ECDSASigner(key()), claims);
  }

  static Stream<Arguments> oddClaims() {
    Date now = new Date();
    return Stream.of(
        Arguments.of("sub", null),
        Arguments.of("sub", ""),
        Arguments.of("sub", " somebody"),
        Arguments.of("sub", 7),
        Arguments.of("sub", List.of("somebody")),
        Arguments.of("tenant", null),
        Arguments.of("tenant", ""),
        Arguments.of("tenant", "\t"),
        Arguments.of("tenant", "acme\u00a0"),
        Arguments.of("tenant", "ac\u0000me"),
        Arguments.of("tenant", "ac\u200dme"),
        Arguments.of("tenant", "*"),
        Arguments.of("tenant", "a".repeat(201)),
        Arguments.of("tenant", 7),
        Arguments.of("tenant", true),
        Arguments.of("tenant", List.of("acme")),
        Arguments.of("tenant", List.of("acme", "globex")),
        Arguments.of("tenant", Map.of("id", "acme")),
        Arguments.of("roles", "reader"),
        Arguments.of("roles", Map.of("reader", true)),
        Arguments.of("roles", List.of(1)),
        Arguments.of("roles", List.of("")),
        Arguments.of("roles", Arrays.asList("reader", null)),
        Arguments.of("roles", List.of(List.of("reader"))),
        Arguments.of("aud", "another"),
        Arguments.of("aud", null),
        Arguments.of("exp", null),
        Arguments.of("exp", new Date(now.getTime() - 1_000)),
        Arguments.of("nbf", new Date(now.getTime() + 600_000)));
  }

  @ParameterizedTest
  @MethodSource("oddClaims")
  void anOddClaimIsRefusedAndNotRepeated(String name, @Nullable Object value) throws Exception {
    Answer answer = gateway.bearer(good(claims(name, value))).get(BareGateway.ROWS);

    assertRefused(answer);
    assertThat(answer.body()).doesNotContain("acme").doesNotContain("somebody");
  }

  @Test
  void aTokenWithoutRolesMayDoNothing() throws Exception {
    assertThat(gateway.bearer(good(claims("roles", null))).get(BareGateway.ROWS).status())
        .isEqualTo(403);
    assertThat(gateway.bearer(good(claims("x", 1))).get(BareGateway.ROWS).status()).isEqualTo(200);
  }

  /** A token that was found good is remembered; nothing but that very token profits. */
  @Test
  void whatIsLikeATokenThatWasAcceptedIsCheckedByItself() throws Exception {
    String accepted = good(claims("x", 1));
    assertThat(gateway.bearer(accepted).get(BareGateway.ROWS).status()).isEqualTo(200);
    int signature = accepted.lastIndexOf('.') + 1;
    char other = accepted.charAt(signature) == 'A' ? 'B' : 'A';

    assertRefused(
        gateway
            .bearer(accepted.substring(0, signature) + other + accepted.substring(signature + 1))
            .get(BareGateway.ROWS));
    assertRefused(gateway.bearer(accepted.substring(0, signature)).get(BareGateway.ROWS));
    assertThat(gateway.bearer(good(claims("roles", List.of()))).get(BareGateway.ROWS).status())
        .isEqualTo(403);
    assertThat(gateway.bearer(accepted).get(BareGateway.ROWS).status()).isEqualTo(200);
  }

  static Stream<Arguments> forged() throws Exception {
    JWTClaimsSet claims = claims("x", 1);
    String publicKey = key().toPublicJWK().toJSONString();
    byte[] publicBytes = key().toECPublicKey().getEncoded();
    String signed = good(claims);
    String[] parts = signed.split("\\.");
    ECKey p384 = new ECKeyGenerator(Curve.P_384).generate();
    ECKey p521 = new ECKeyGenerator(Curve.P_521).generate();
    return Stream.of(
        Arguments.of("no algorithm", new PlainJWT(claims).serialize()),
        Arguments.of("no algorithm, with a signature", new PlainJWT(claims).serialize() + parts[2]),
        Arguments.of("no signature", parts[0] + "." + parts[1] + "."),
        Arguments.of("another signature", parts[0] + "." + parts[1] + "." + "A".repeat(86)),
        Arguments.of(
            "HS256 with the public key as text",
            signed(
                JWSAlgorithm.HS256,
                new MACSigner(publicKey.getBytes(StandardCharsets.UTF_8)),
                claims)),
        Arguments.of(
            "HS256 with the public key's bytes",
            signed(JWSAlgorithm.HS256, new MACSigner(publicBytes), claims)),
        Arguments.of(
            "another key of the right curve",
            signed(
                JWSAlgorithm.ES256,
                new ECDSASigner(new ECKeyGenerator(Curve.P_256).generate()),
                claims)),
        Arguments.of("P-384", signed(JWSAlgorithm.ES384, new ECDSASigner(p384), claims)),
        Arguments.of("P-521", signed(JWSAlgorithm.ES512, new ECDSASigner(p521), claims)),
        Arguments.of(
            "RSA",
            signed(
                JWSAlgorithm.RS256,
                new RSASSASigner(new RSAKeyGenerator(2048).generate()),
                claims)),
        Arguments.of("a key of its own", withItsOwnKey(claims)),
        Arguments.of("other claims", parts[0] + "." + parts[1] + "x." + parts[2]),
        Arguments.of("no token", "abc"),
        Arguments.of("dots", "..."));
  }

  /** The header brings the key that it is signed with. */
  private static String withItsOwnKey(JWTClaimsSet claims) throws JOSEException {
    ECKey own = new ECKeyGenerator(Curve.P_256).generate();
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.ES256).jwk(own.toPublicJWK()).build(), claims);
    token.sign(new ECDSASigner(own));
    return token.serialize();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("forged")
  void aTokenThatTheIssuerHasNotSignedIsRefused(String what, String token) throws Exception {
    assertRefused(gateway.bearer(token).get(BareGateway.ROWS));
    assertRefused(gateway.bearer(token).put("/api/doc/Note/N", "{}"));
    assertRefused(gateway.bearer(token).get("/api/sync/stream"));
  }

  private static void assertRefused(Answer answer) {
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.json().path("type").asText()).isEqualTo("urn:tidemark:problem:token-invalid");
    assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer error=\"invalid_token\"");
  }

  @Test
  void aTokenInTheAddressOrTwoTokensAreNone() throws Exception {
    String token = good(claims("x", 1));
    assertThat(gateway.bearer("").get(BareGateway.ROWS + "?access_token=" + token).status())
        .isEqualTo(401);
    assertThat(gateway.bearer("").get(BareGateway.ROWS, "Authorization", "Basic YTpi").status())
        .isEqualTo(401);
  }

  /** The watermark stands still here, so that whole answers can be compared. */
  @Test
  void anotherTenantsRowAndNoRowAreTheSameAnswerByteForByte() throws Exception {
    var globex = gateway.caller("globex", "reader");
    for (String gate : List.of("0/1", "0/0")) {
      Answer foreign = globex.get(BareGateway.ROWS + "/R1", "X-Required-LSN", gate);
      Answer missing = globex.get(BareGateway.ROWS + "/Q1", "X-Required-LSN", gate);
      assertThat(foreign.status()).isEqualTo(404);
      assertSame(foreign, missing);
    }
    assertSame(
        globex.get(BareGateway.ROWS + "?name=R1"), globex.get(BareGateway.ROWS + "?name=Q1"));
    gateway.caller(SOME_TENANT, "writer").put("/api/doc/Note/Only-acme", "{\"n\":1}");
    assertSame(globex.get("/api/doc/Note/Only-acme"), globex.get("/api/doc/Note/Nobody-has"));
    var writer = gateway.caller("globex", "writer");
    assertSame(writer.delete("/api/doc/Note/Only-acme"), writer.delete("/api/doc/Note/Nobody-has"));
  }

  private static void assertSame(Answer one, Answer other) {
    assertThat(one.status()).isEqualTo(other.status());
    assertThat(one.body()).isEqualTo(other.body());
    Map<String, List<String>> headers = new LinkedHashMap<>(one.headers().map());
    Map<String, List<String>> others = new LinkedHashMap<>(other.headers().map());
    headers.remove("date");
    others.remove("date");
    assertThat(headers).isEqualTo(others);
  }
}
