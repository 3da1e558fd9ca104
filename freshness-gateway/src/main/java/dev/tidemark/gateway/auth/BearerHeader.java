package dev.tidemark.gateway.auth;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.server.resource.BearerTokenErrors;
import org.springframework.security.oauth2.server.resource.web.BearerTokenResolver;

/**
 * The token of the header {@code Authorization} (RFC 6750, section 2.1), and of nowhere else. By
 * the rule of Spring's own resolver; its regular expression takes a good part of a read's time.
 */
public final class BearerHeader implements BearerTokenResolver {

  private static final String SCHEME = "Bearer";

  @Override
  public @Nullable String resolve(HttpServletRequest request) {
    String header = request.getHeader("Authorization");
    if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return null;
    }
    int from = SCHEME.length() + 1;
    if (header.length() <= from || header.charAt(from - 1) != ' ' || !isToken(header, from)) {
      throw new OAuth2AuthenticationException(
          BearerTokenErrors.invalidToken("Bearer token is malformed"));
    }
    return header.substring(from);
  }

  /** {@code b64token}: letters, digits and some marks, at least one, then equals signs. */
  private static boolean isToken(String header, int from) {
    int end = header.length();
    while (end > from && header.charAt(end - 1) == '=') {
      end--;
    }
    for (int i = from; i < end; i++) {
      char c = header.charAt(i);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || "-._~+/".indexOf(c) >= 0;
      if (!plain) {
        return false;
      }
    }
    return end > from;
  }
}
