package dev.tidemark.gateway.auth;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.tidemark.gateway.TokenKeys;
import java.text.ParseException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtDecoderInitializationException;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.SupplierJwtDecoder;

/**
 * Makes the decoder of tokens. The algorithms are those of the configured keys, ES256 and RS256,
 * never what a token's header asks for.
 */
public final class TokenDecoders {

  private TokenDecoders() {}

  /**
   * The decoder.
   *
   * @throws IllegalArgumentException when a key set has no key that can be used, or holds a secret
   */
  public static JwtDecoder of(TokenKeys keys, Optional<String> audience, Clock clock) {
    return switch (keys) {
      case TokenKeys.JwkSet set -> fixed(set.json(), validator(audience, clock, Optional.empty()));
      case TokenKeys.JwkSetUri set -> {
        NimbusJwtDecoder decoder =
            NimbusJwtDecoder.withJwkSetUri(set.uri().toString())
                .jwsAlgorithms(TokenDecoders::allow)
                .build();
        decoder.setJwtValidator(validator(audience, clock, Optional.empty()));
        yield decoder;
      }
      case TokenKeys.Issuer issuer ->
          askedAgain(
              new SupplierJwtDecoder(
                  () -> {
                    NimbusJwtDecoder decoder =
                        NimbusJwtDecoder.withIssuerLocation(issuer.uri().toString())
                            .jwsAlgorithms(TokenDecoders::allow)
                            .build();
                    decoder.setJwtValidator(
                        validator(audience, clock, Optional.of(issuer.uri().toString())));
                    return decoder;
                  }));
    };
  }

  /** An issuer that can't be asked is no fault of the gateway, and is asked by the next token. */
  private static JwtDecoder askedAgain(JwtDecoder decoder) {
    return token -> {
      try {
        return decoder.decode(token);
      } catch (JwtDecoderInitializationException e) {
        throw new JwtException("the issuer's metadata can't be read", e);
      }
    };
  }

  private static void allow(Set<SignatureAlgorithm> algorithms) {
    algorithms.add(SignatureAlgorithm.ES256);
    algorithms.add(SignatureAlgorithm.RS256);
  }

  private static OAuth2TokenValidator<Jwt> validator(
      Optional<String> audience, Clock clock, Optional<String> issuer) {
    List<OAuth2TokenValidator<Jwt>> validators = new ArrayList<>();
    validators.add(new TokenTimes(clock));
    audience.ifPresent(value -> validators.add(new TokenAudience(value)));
    issuer.ifPresent(value -> validators.add(new JwtIssuerValidator(value)));
    return new DelegatingOAuth2TokenValidator<>(validators);
  }

  private static NimbusJwtDecoder fixed(String json, OAuth2TokenValidator<Jwt> validator) {
    JWKSet set = parse(json);
    Set<JWSAlgorithm> algorithms = new LinkedHashSet<>();
    for (JWK key : set.getKeys()) {
      algorithms.add(algorithm(key));
    }
    if (algorithms.isEmpty()) {
      throw new IllegalArgumentException(
          "the JSON Web Key set holds no key; give it at least one public EC P-256 or RSA key");
    }
    DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    processor.setJWSKeySelector(
        new JWSVerificationKeySelector<>(algorithms, new ImmutableJWKSet<>(set)));
    // Spring's validators look at the claims; Nimbus's own verifier would allow a minute of skew.
    processor.setJWTClaimsSetVerifier((claims, context) -> {});
    NimbusJwtDecoder decoder = new NimbusJwtDecoder(processor);
    decoder.setJwtValidator(validator);
    return decoder;
  }

  private static JWSAlgorithm algorithm(JWK key) {
    if (key.isPrivate()) {
      throw new IllegalArgumentException(
          "the JSON Web Key set holds a private or secret key; the gateway needs public keys only");
    }
    return switch (key) {
      case ECKey ec when Curve.P_256.equals(ec.getCurve()) -> JWSAlgorithm.ES256;
      case RSAKey rsa when rsa.size() >= 2048 -> JWSAlgorithm.RS256;
      default ->
          throw new IllegalArgumentException(
              "the JSON Web Key set holds a key of type "
                  + key.getKeyType()
                  + " and "
                  + key.size()
                  + " bits; allowed are EC on P-256 and RSA of 2048 bits or more");
    };
  }

  private static JWKSet parse(String json) {
    try {
      return JWKSet.parse(json);
    } catch (ParseException e) {
      throw new IllegalArgumentException(
          "the JSON Web Key set can't be read as such (RFC 7517)", e);
    }
  }
}
