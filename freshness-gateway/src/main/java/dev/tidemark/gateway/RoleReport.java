package dev.tidemark.gateway;

import java.util.function.Supplier;

/**
 * What another role of the same process says about itself, for the health page.
 *
 * @param role the role's name, such as {@code capture}
 * @param state asked at most about once a second; must return quickly and be thread-safe
 */
public record RoleReport(String role, Supplier<State> state) {

  public RoleReport {
    if (role.isBlank()) {
      throw new IllegalArgumentException("a role report needs the role's name");
    }
  }

  /**
   * One answer.
   *
   * @param up whether the role works
   * @param reason why, in words that hold no secret, tenant or row; may be empty
   */
  public record State(boolean up, String reason) {

    /** A role that works. */
    public static State working() {
      return new State(true, "");
    }

    /** A role that does not work, and why. */
    public static State failed(String reason) {
      return new State(false, reason);
    }
  }
}
