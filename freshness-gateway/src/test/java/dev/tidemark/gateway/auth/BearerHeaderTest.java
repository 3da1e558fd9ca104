package dev.tidemark.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.server.resource.web.BearerTokenResolver;
import org.springframework.security.oauth2.server.resource.web.DefaultBearerTokenResolver;

/** Spring's own resolver is the oracle. */
class BearerHeaderTest {

  private static HttpServletRequest request(@Nullable String authorization) {
    return (HttpServletRequest)
        Proxy.newProxyInstance(
            BearerHeaderTest.class.getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (proxy, method, arguments) ->
                method.getName().equals("getHeader") && "Authorization".equals(arguments[0])
                    ? authorization
                    : null);
  }

  private static String outcome(BearerTokenResolver resolver, @Nullable String authorization) {
    try {
      return Optional.ofNullable(resolver.resolve(request(authorization))).orElse("none");
    } catch (OAuth2AuthenticationException e) {
      return "refused: " + e.getMessage();
    }
  }

  @Test
  void takesWhatSpringsOwnTakes() {
    assertThat(outcome(new BearerHeader(), null)).isEqualTo("none");
    for (String header :
        List.of(
            "",
            "Basic YTpi",
            "Bear",
            "Bearer",
            "Bearer ",
            "Bearer  a",
            "Bearer\ta",
            "Bearera",
            "Bearer_a",
            "bearer a.b.c",
            "BEARER a.b.c",
            "Bearer azAZ09-._~+/",
            "Bearer a==",
            "Bearer =",
            "Bearer a=b",
            "Bearer a b",
            "Bearer a ",
            "Bearer a,b",
            "Bearer a\u00e9",
            "Bearer a\u212a",
            " Bearer a",
            "Digest Bearer a")) {
      assertThat(outcome(new BearerHeader(), header))
          .as(header)
          .isEqualTo(outcome(new DefaultBearerTokenResolver(), header));
    }
  }
}
