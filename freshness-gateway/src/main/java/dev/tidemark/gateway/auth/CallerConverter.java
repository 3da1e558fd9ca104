package dev.tidemark.gateway.auth;

import com.nimbusds.jose.JWSObject;
import java.text.ParseException;
import org.springframework.core.convert.converter.Converter;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;

/** From a valid token to the caller that it names. */
public final class CallerConverter implements Converter<Jwt, CallerToken> {

  @Override
  public CallerToken convert(Jwt token) {
    try {
      Caller caller = Claims.caller(token.getClaims());
      if (mayBeNumber(caller.subject()) && !isText(token, "sub")) {
        throw new Claims.OddClaimException("the claim sub must be one non-empty text");
      }
      return new CallerToken(caller, TokenTimes.of(token).orElseThrow());
    } catch (Claims.OddClaimException e) {
      throw new InvalidBearerTokenException(e.getMessage(), e);
    }
  }

  private static boolean mayBeNumber(String subject) {
    char first = subject.charAt(0);
    return first == '-' || (first >= '0' && first <= '9');
  }

  /** Nimbus makes a text of a subject that is a number, so only the token itself tells. */
  private static boolean isText(Jwt token, String claim) {
    try {
      return JWSObject.parse(token.getTokenValue()).getPayload().toJSONObject().get(claim)
          instanceof String;
    } catch (ParseException e) {
      return false;
    }
  }
}
