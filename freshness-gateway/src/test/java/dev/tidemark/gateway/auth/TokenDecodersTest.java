package dev.tidemark.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.tidemark.gateway.TokenKeys;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;

class TokenDecodersTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

  private final ECKey ec = new ECKeyGenerator(Curve.P_256).keyID("k").generate();
  private final RSAKey rsa = new RSAKeyGenerator(2048).keyID("r").generate();

  TokenDecodersTest() throws JOSEException {}

  @Test
  void acceptsTokensOfTheKeysInTheSet() throws Exception {
    JwtDecoder decoder = decoder(ec, rsa);

    assertThat(decoder.decode(token(JWSAlgorithm.ES256, "k", new ECDSASigner(ec), 60)).getSubject())
        .isEqualTo("lan");
    assertThat(decoder.decode(token(JWSAlgorithm.RS256, "r", new RSASSASigner(rsa), 60)))
        .isNotNull();
  }

  @Test
  void b37RefusesAnotherKeyUnderTheSameName() throws Exception {
    ECKey other = new ECKeyGenerator(Curve.P_256).keyID("k").generate();

    refused(decoder(ec), token(JWSAlgorithm.ES256, "k", new ECDSASigner(other), 60));
  }

  @Test
  void b37RefusesAlgorithmsThatAreNotThoseOfTheKeys() throws Exception {
    byte[] publicKey = ec.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8);

    refused(decoder(ec), new PlainJWT(claims(60)).serialize());
    refused(decoder(ec), token(JWSAlgorithm.HS256, "k", new MACSigner(publicKey), 60));
    refused(decoder(ec), token(JWSAlgorithm.RS256, "r", new RSASSASigner(rsa), 60));
    refused(decoder(rsa), token(JWSAlgorithm.PS256, "r", new RSASSASigner(rsa), 60));
  }

  @Test
  void b37RefusesATokenThatHasExpiredToTheSecond() throws Exception {
    refused(decoder(ec), token(JWSAlgorithm.ES256, "k", new ECDSASigner(ec), 0));
    refused(decoder(ec), token(JWSAlgorithm.ES256, "k", new ECDSASigner(ec), -1));
  }

  @Test
  void refusesATokenThatNeverExpires() throws Exception {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("k").build(),
            new JWTClaimsSet.Builder().subject("lan").build());
    token.sign(new ECDSASigner(ec));

    refused(decoder(ec), token.serialize());
  }

  @Test
  void refusesAnotherAudience() throws Exception {
    JwtDecoder decoder =
        TokenDecoders.of(new TokenKeys.JwkSet(set(ec.toPublicJWK())), Optional.of("care"), CLOCK);

    refused(decoder, token(JWSAlgorithm.ES256, "k", new ECDSASigner(ec), 60));
  }

  @Test
  void refusesKeySetsThatCanNotBeUsed() throws Exception {
    OctetSequenceKey secret = new OctetSequenceKeyGenerator(256).generate();

    unusable("{\"keys\":[]}", "no key");
    unusable("not json", "can't be read");
    unusable(new JWKSet(secret).toString(false), "private or secret");
    unusable(new JWKSet(ec).toString(false), "private or secret");
    unusable(set(new RSAKeyGenerator(1024, true).generate().toPublicJWK()), "2048");
    unusable(set(new ECKeyGenerator(Curve.P_384).generate().toPublicJWK()), "P-256");
  }

  private static void unusable(String json, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TokenDecoders.of(new TokenKeys.JwkSet(json), Optional.empty(), CLOCK))
        .withMessageContaining(why);
  }

  private static JwtDecoder decoder(JWK... keys) {
    JWK[] publicKeys = new JWK[keys.length];
    for (int i = 0; i < keys.length; i++) {
      publicKeys[i] = keys[i].toPublicJWK();
    }
    return TokenDecoders.of(new TokenKeys.JwkSet(set(publicKeys)), Optional.empty(), CLOCK);
  }

  private static String set(JWK... keys) {
    return new JWKSet(java.util.List.of(keys)).toString();
  }

  private static JWTClaimsSet claims(int seconds) {
    return new JWTClaimsSet.Builder()
        .subject("lan")
        .audience("desk")
        .expirationTime(Date.from(NOW.plusSeconds(seconds)))
        .build();
  }

  private static String token(JWSAlgorithm algorithm, String key, JWSSigner signer, int seconds)
      throws JOSEException {
    SignedJWT token =
        new SignedJWT(new JWSHeader.Builder(algorithm).keyID(key).build(), claims(seconds));
    token.sign(signer);
    return token.serialize();
  }

  private static void refused(JwtDecoder decoder, String token) {
    assertThatExceptionOfType(JwtException.class).isThrownBy(() -> decoder.decode(token));
  }
}
