package dev.tidemark.gateway.auth;

import java.time.Instant;
import java.util.List;
import org.springframework.security.authentication.AbstractAuthenticationToken;

/** An authenticated request: its principal is the {@link Caller}. It does not keep the token. */
public final class CallerToken extends AbstractAuthenticationToken {

  private static final long serialVersionUID = 1L;

  private final transient Caller caller;
  private final Instant expiresAt;

  CallerToken(Caller caller, Instant expiresAt) {
    super(List.of());
    this.caller = caller;
    this.expiresAt = expiresAt;
    setAuthenticated(true);
  }

  @Override
  public Caller getPrincipal() {
    return caller;
  }

  /** Nothing: the token has done its work. */
  @Override
  public Object getCredentials() {
    return "";
  }

  /** When the token ends; a stream must not outlive it. */
  public Instant expiresAt() {
    return expiresAt;
  }

  @Override
  public String getName() {
    return caller.subject();
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  @Override
  public String toString() {
    return "CallerToken";
  }
}
