package dev.tidemark.gateway.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationProvider;

/**
 * Checks bearer tokens. To check a signature costs more than all the rest of a read, and a caller
 * sends the same token with every request: so a token that was found good is remembered, by its
 * SHA-256 and never as it is, with nothing but the caller that it names.
 *
 * <p>Its times are looked at with each use. What else may change behind it, a key that the issuer
 * has taken back, matters for {@link #LONGEST} at most. A token that differs in one character is
 * another one, and what was refused is not remembered. Thread-safe.
 */
public final class VerifiedTokens implements AuthenticationManager {

  /** After this time a token is checked anew. */
  static final Duration LONGEST = Duration.ofSeconds(60);

  /** Tokens that are remembered; of those beyond, the least used are forgotten. */
  static final int MOST = 10_000;

  private final JwtAuthenticationProvider provider;
  private final Clock clock;
  private final Cache<ByteBuffer, CallerToken> verified;

  /**
   * Remembers nothing yet.
   *
   * @param decoder checks what is not known
   * @param clock for the tokens' times
   */
  public VerifiedTokens(JwtDecoder decoder, Clock clock) {
    this(decoder, clock, Ticker.systemTicker(), MOST);
  }

  VerifiedTokens(JwtDecoder decoder, Clock clock, Ticker age, int most) {
    this.provider = new JwtAuthenticationProvider(decoder);
    this.provider.setJwtAuthenticationConverter(new CallerConverter());
    this.clock = clock;
    this.verified =
        Caffeine.newBuilder()
            .maximumSize(most)
            .expireAfterWrite(LONGEST)
            .ticker(age)
            // What is over is taken away by those who come, on no thread of its own.
            .executor(Runnable::run)
            .build();
  }

  @Override
  public Authentication authenticate(Authentication request) {
    if (!(request instanceof BearerTokenAuthenticationToken bearer)) {
      throw new IllegalArgumentException("nobody signs in but by a bearer token");
    }
    ByteBuffer key = sha256(bearer.getToken());
    CallerToken known = verified.getIfPresent(key);
    if (known != null && known.validity().fault(clock.instant()).isEmpty()) {
      return known.forAnotherRequest();
    }
    // Not by the cache's own loading: an issuer that does not answer would hold others up.
    Authentication checked = provider.authenticate(bearer);
    if (checked instanceof CallerToken fresh) {
      verified.put(key, fresh);
      return fresh.forAnotherRequest();
    }
    throw new IllegalStateException("a good token names a caller");
  }

  /** How many tokens are remembered, for tests. */
  long size() {
    verified.cleanUp();
    return verified.estimatedSize();
  }

  private static ByteBuffer sha256(String token) {
    try {
      return ByteBuffer.wrap(
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
