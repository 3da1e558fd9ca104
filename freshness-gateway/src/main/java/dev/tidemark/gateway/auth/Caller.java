package dev.tidemark.gateway.auth;

import java.util.Set;

/**
 * Who sent a request, from the signed claims and from nowhere else.
 *
 * @param subject {@code sub}
 * @param tenant {@code tenant}
 * @param roles {@code roles}
 */
public record Caller(String subject, String tenant, Set<String> roles) {

  /** The role that may use {@code /api/ops}. */
  public static final String ADMIN = "admin";

  public Caller {
    roles = Set.copyOf(roles);
  }

  /** Names nobody, so that it can stand in a log. */
  @Override
  public String toString() {
    return "Caller[roles=" + roles.size() + "]";
  }
}
