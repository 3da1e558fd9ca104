package dev.tidemark.gateway.auth;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a token may be used: before {@code exp}, to the second; from {@code nbf} on, which may lie a
 * little ahead, for clocks of two machines.
 *
 * @param expiresAt {@code exp}
 * @param notBefore {@code nbf}; {@link Instant#MIN} where there is none
 */
record Validity(Instant expiresAt, Instant notBefore) {

  private static final Duration AHEAD = Duration.ofSeconds(5);

  /** Why the token must not be used at that time; empty when it may. */
  Optional<String> fault(Instant now) {
    if (!now.isBefore(expiresAt)) {
      return Optional.of("the token has expired");
    }
    if (notBefore.isAfter(now.plus(AHEAD))) {
      return Optional.of("the token is not valid yet");
    }
    return Optional.empty();
  }
}
