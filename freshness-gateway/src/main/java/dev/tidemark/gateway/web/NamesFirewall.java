package dev.tidemark.gateway.web;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.security.web.firewall.FirewalledRequest;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.security.web.firewall.StrictHttpFirewall;

/**
 * Spring's strict rules, and none of the path's parameters: what follows a bare semicolon would be
 * cut off, and so another document be meant. A name that holds one is sent as {@code %3B}.
 */
final class NamesFirewall extends StrictHttpFirewall {

  @Override
  public FirewalledRequest getFirewalledRequest(HttpServletRequest request)
      throws RequestRejectedException {
    if (request.getRequestURI().indexOf(';') >= 0) {
      throw new RequestRejectedException("a bare semicolon in the path");
    }
    return super.getFirewalledRequest(request);
  }
}
