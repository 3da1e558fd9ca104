package dev.tidemark.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.tidemark.gateway.TokenKeys;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;

class VerifiedTokensTest {

  private static final int MOST = 4;
  private static final Duration SHORT = VerifiedTokens.LONGEST.minusSeconds(1);

  private final ECKey key = new ECKeyGenerator(Curve.P_256).keyID("k").generate();
  private final ECKey otherKey = new ECKeyGenerator(Curve.P_256).keyID("k").generate();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private Duration age = Duration.ZERO;
  private int checked;
  private JwtDecoder decoder = decoder(key);
  private final VerifiedTokens tokens =
      new VerifiedTokens(
          token -> {
            checked++;
            return decoder.decode(token);
          },
          clock(),
          () -> age.toNanos(),
          MOST);

  VerifiedTokensTest() throws JOSEException {}

  private Clock clock() {
    return InstantSource.offset(() -> now, Duration.ZERO).withZone(ZoneOffset.UTC);
  }

  private JwtDecoder decoder(ECKey signedWith) {
    String set = new JWKSet(signedWith.toPublicJWK()).toString();
    return TokenDecoders.of(new TokenKeys.JwkSet(set), Optional.empty(), clock());
  }

  private String token(Instant from, Instant to, String... roles) throws JOSEException {
    JWTClaimsSet claims =
        new JWTClaimsSet.Builder()
            .subject("lan")
            .claim("tenant", "acme")
            .claim("roles", List.of(roles))
            .notBeforeTime(Date.from(from))
            .expirationTime(Date.from(to))
            .build();
    SignedJWT token =
        new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("k").build(), claims);
    token.sign(new ECDSASigner(key));
    return token.serialize();
  }

  private String good(String... roles) throws JOSEException {
    return token(now, now.plus(Duration.ofHours(1)), roles);
  }

  private Caller caller(String token) {
    return ((CallerToken) tokens.authenticate(new BearerTokenAuthenticationToken(token)))
        .getPrincipal();
  }

  private void refused(String token, String why) {
    assertThatExceptionOfType(OAuth2AuthenticationException.class)
        .isThrownBy(() -> caller(token))
        .withMessageContaining(why);
  }

  @Test
  void theSameTokenIsCheckedOnce() throws Exception {
    String token = good("reader");

    assertThat(caller(token)).isEqualTo(caller(token));
    age = SHORT;
    assertThat(caller(token).tenant()).isEqualTo("acme");
    assertThat(checked).isEqualTo(1);
  }

  @Test
  void aKnownTokenIsRefusedFromTheSecondOfItsEndOn() throws Exception {
    String token = token(now, now.plusSeconds(10), "reader");
    caller(token);

    now = now.plusSeconds(9).plusMillis(999);
    caller(token);
    assertThat(checked).isEqualTo(1);
    now = now.plusMillis(1);
    refused(token, "the token has expired");
  }

  @Test
  void aKnownTokenIsRefusedWhenAClockIsSetBackBehindItsBeginning() throws Exception {
    String token = good("reader");
    caller(token);

    now = now.minusSeconds(6);
    refused(token, "the token is not valid yet");
  }

  @Test
  void theClaimsOfAKnownTokenUnderAnotherSignatureAreRefused() throws Exception {
    String token = good("reader");
    caller(token);
    int signature = token.lastIndexOf('.') + 1;

    for (int at = signature; at < token.length() - 1; at++) {
      char other = token.charAt(at) == 'A' ? 'B' : 'A';
      refused(token.substring(0, at) + other + token.substring(at + 1), "");
    }
    refused(token.substring(0, signature), "");
    caller(token);
  }

  @Test
  void otherRolesInANewTokenCountAtOnce() throws Exception {
    assertThat(caller(good("reader")).roles()).containsExactly("reader");
    assertThat(caller(good("writer", "admin")).roles()).containsOnly("writer", "admin");
    assertThat(caller(good("reader")).roles()).containsExactly("reader");
  }

  @Test
  void aKeyThatWasTakenBackMattersForAMinuteAtMost() throws Exception {
    String token = good("reader");
    caller(token);
    decoder = decoder(otherKey);

    refused(good("writer"), "");
    age = SHORT;
    caller(token);
    age = VerifiedTokens.LONGEST;
    refused(token, "");
  }

  @Test
  void whatWasRefusedIsNotRemembered() throws Exception {
    String token = token(now.plusSeconds(60), now.plus(Duration.ofHours(1)), "reader");

    refused(token, "the token is not valid yet");
    assertThat(tokens.size()).isZero();
    now = now.plusSeconds(60);
    caller(token);
  }

  @Test
  void noMoreTokensAreRememberedThanMayBe() throws Exception {
    for (int i = 0; i < 5 * MOST; i++) {
      caller(good("role-" + i));
    }

    assertThat(tokens.size()).isEqualTo(MOST);
  }

  @Test
  void whatSpringNotesOnOneRequestIsNotSeenByAnother() throws Exception {
    String token = good("reader");
    CallerToken first =
        (CallerToken) tokens.authenticate(new BearerTokenAuthenticationToken(token));
    first.setDetails("of the first request");
    first.setAuthenticated(false);

    CallerToken second =
        (CallerToken) tokens.authenticate(new BearerTokenAuthenticationToken(token));
    assertThat(second.getDetails()).isNull();
    assertThat(second.isAuthenticated()).isTrue();
  }
}
