package dev.tidemark.gateway.auth;

import java.time.Instant;
import java.util.List;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

/** An authenticated request: its principal is the {@link Caller}. It does not keep the token. */
public final class CallerToken extends AbstractAuthenticationToken {

  private static final long serialVersionUID = 1L;

  private final transient Caller caller;
  private final transient Validity validity;

  CallerToken(Caller caller, Validity validity) {
    super(List.of());
    this.caller = caller;
    this.validity = validity;
    setAuthenticated(true);
  }

  /**
   * Who sent the request that this thread serves.
   *
   * @throws dev.tidemark.gateway.problem.ProblemException 401 when no token was checked for it
   */
  public static CallerToken current() {
    if (SecurityContextHolder.getContext().getAuthentication() instanceof CallerToken token) {
      return token;
    }
    throw AuthFailures.missing().exception();
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
    return validity.expiresAt();
  }

  /** When it may be used. */
  Validity validity() {
    return validity;
  }

  /** The same, for another request: what Spring notes on it belongs to one. */
  CallerToken forAnotherRequest() {
    return new CallerToken(caller, validity);
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
