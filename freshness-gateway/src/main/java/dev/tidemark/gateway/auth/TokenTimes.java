package dev.tidemark.gateway.auth;

import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.Jwt;

/** {@code exp} must be there, and the token be within its {@link Validity}. */
final class TokenTimes implements OAuth2TokenValidator<Jwt> {

  private final Clock clock;

  TokenTimes(Clock clock) {
    this.clock = clock;
  }

  /** The times of a token; empty when it never expires. */
  static Optional<Validity> of(Jwt token) {
    return Optional.ofNullable(token.getExpiresAt())
        .map(
            expiry ->
                new Validity(
                    expiry, Objects.requireNonNullElse(token.getNotBefore(), Instant.MIN)));
  }

  @Override
  public OAuth2TokenValidatorResult validate(Jwt token) {
    Optional<Validity> validity = of(token);
    return (validity.isEmpty()
            ? Optional.of("the token has no exp claim")
            : validity.get().fault(clock.instant()))
        .map(TokenTimes::refuse)
        .orElseGet(OAuth2TokenValidatorResult::success);
  }

  private static OAuth2TokenValidatorResult refuse(String why) {
    return OAuth2TokenValidatorResult.failure(new OAuth2Error("invalid_token", why, null));
  }
}
