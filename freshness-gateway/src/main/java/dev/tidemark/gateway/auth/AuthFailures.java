package dev.tidemark.gateway.auth;

import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.gateway.problem.ProblemResponses;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;

/** 401 and 403 as problem documents, with the challenge of RFC 6750. */
public final class AuthFailures implements AuthenticationEntryPoint, AccessDeniedHandler {

  @Override
  public void commence(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
      throws IOException {
    ProblemResponses.write(response, problem(failure));
  }

  @Override
  public void handle(
      HttpServletRequest request, HttpServletResponse response, AccessDeniedException denied)
      throws IOException {
    ProblemResponses.write(
        response,
        Problem.of(ProblemKind.PERMISSION_DENIED, "The token does not allow this request."));
  }

  private static Problem problem(AuthenticationException failure) {
    if (failure instanceof AuthenticationServiceException) {
      return Problem.of(
          ProblemKind.ISSUER_UNAVAILABLE,
          "The keys of the token's issuer could not be fetched, so no token can be checked. Try"
              + " again.");
    }
    if (failure instanceof OAuth2AuthenticationException refused) {
      return Problem.of(ProblemKind.TOKEN_INVALID, detail(refused))
          .withHeader("WWW-Authenticate", "Bearer error=\"invalid_token\"");
    }
    return missing();
  }

  /** No token at all. */
  static Problem missing() {
    return Problem.of(
            ProblemKind.TOKEN_MISSING, "Send the header Authorization: Bearer, and a signed token.")
        .withHeader("WWW-Authenticate", "Bearer");
  }

  /** Only texts of our own are passed on; a parser's message may quote the token. */
  private static String detail(OAuth2AuthenticationException refused) {
    String found = refused.getMessage();
    if (found != null) {
      int ours = Math.max(found.lastIndexOf("the claim "), found.lastIndexOf("the token "));
      if (ours >= 0) {
        return "Refused: " + found.substring(ours) + ".";
      }
    }
    return "Its form, its signature or its algorithm does not hold. Get a new token from the"
        + " issuer.";
  }
}
