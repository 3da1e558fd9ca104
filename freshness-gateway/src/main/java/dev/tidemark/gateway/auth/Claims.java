package dev.tidemark.gateway.auth;

import dev.tidemark.topics.Tenants;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a caller from the claims of a token whose signature holds. */
public final class Claims {

  private static final int MAX_LENGTH = 200;

  private Claims() {}

  /** Claims that name no caller. The message says which claim, never its value. */
  public static final class OddClaimException extends Exception {
    private static final long serialVersionUID = 1L;

    OddClaimException(String message) {
      super(message);
    }
  }

  /**
   * The caller.
   *
   * @throws OddClaimException when {@code sub} or {@code tenant} is not one plain, non-empty text,
   *     or {@code roles} is not an array of such texts; no {@code roles} is no roles
   */
  public static Caller caller(Map<String, ?> claims) throws OddClaimException {
    String subject = plain("sub", claims.get("sub"));
    String tenant = plain("tenant", claims.get("tenant"));
    if (tenant.equals(Tenants.SHARED)) {
      throw new OddClaimException("the claim tenant must name one tenant, not all");
    }
    return new Caller(subject, tenant, roles(claims.get("roles")));
  }

  private static Set<String> roles(@Nullable Object claim) throws OddClaimException {
    Set<String> roles = new LinkedHashSet<>();
    if (claim == null) {
      return roles;
    }
    if (!(claim instanceof Collection<?> list)) {
      throw new OddClaimException("the claim roles must be an array of texts");
    }
    for (Object role : list) {
      roles.add(plain("roles", role));
    }
    return roles;
  }

  private static String plain(String name, @Nullable Object claim) throws OddClaimException {
    if (!(claim instanceof String text) || text.isEmpty()) {
      throw new OddClaimException("the claim " + name + " must be one non-empty text");
    }
    if (text.length() > MAX_LENGTH) {
      throw new OddClaimException(
          "the claim " + name + " must have at most " + MAX_LENGTH + " characters");
    }
    if (blank(text.codePointAt(0)) || blank(text.codePointBefore(text.length()))) {
      throw new OddClaimException("the claim " + name + " must not begin or end with white space");
    }
    if (text.codePoints().anyMatch(Claims::odd)) {
      throw new OddClaimException("the claim " + name + " must not hold control characters");
    }
    return text;
  }

  private static boolean blank(int c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c);
  }

  /** Control characters, invisible format characters and halves of surrogate pairs. */
  private static boolean odd(int c) {
    int type = Character.getType(c);
    return type == Character.CONTROL || type == Character.FORMAT || type == Character.SURROGATE;
  }
}
