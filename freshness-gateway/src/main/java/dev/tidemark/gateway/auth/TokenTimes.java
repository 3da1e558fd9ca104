package dev.tidemark.gateway.auth;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.Jwt;

/**
 * {@code exp} must be there and in the future, to the second; {@code nbf} may lie a little ahead,
 * for clocks of two machines.
 */
final class TokenTimes implements OAuth2TokenValidator<Jwt> {

  private static final Duration AHEAD = Duration.ofSeconds(5);

  private final Clock clock;

  TokenTimes(Clock clock) {
    this.clock = clock;
  }

  @Override
  public OAuth2TokenValidatorResult validate(Jwt token) {
    Instant now = clock.instant();
    Instant expiry = token.getExpiresAt();
    if (expiry == null) {
      return refuse("the token has no exp claim");
    }
    if (!now.isBefore(expiry)) {
      return refuse("the token has expired");
    }
    Instant notBefore = token.getNotBefore();
    if (notBefore != null && notBefore.isAfter(now.plus(AHEAD))) {
      return refuse("the token is not valid yet");
    }
    return OAuth2TokenValidatorResult.success();
  }

  private static OAuth2TokenValidatorResult refuse(String why) {
    return OAuth2TokenValidatorResult.failure(new OAuth2Error("invalid_token", why, null));
  }
}
