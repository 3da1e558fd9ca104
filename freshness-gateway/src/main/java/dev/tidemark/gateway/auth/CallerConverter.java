package dev.tidemark.gateway.auth;

import java.time.Instant;
import java.util.Objects;
import org.springframework.core.convert.converter.Converter;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;

/** From a valid token to the caller that it names. */
public final class CallerConverter implements Converter<Jwt, CallerToken> {

  @Override
  public CallerToken convert(Jwt token) {
    try {
      Instant expiry = Objects.requireNonNull(token.getExpiresAt());
      return new CallerToken(Claims.caller(token.getClaims()), expiry);
    } catch (Claims.OddClaimException e) {
      throw new InvalidBearerTokenException(e.getMessage(), e);
    }
  }
}
