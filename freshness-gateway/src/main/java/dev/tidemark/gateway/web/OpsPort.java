package dev.tidemark.gateway.web;

import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.gateway.problem.ProblemResponses;
import dev.tidemark.gateway.problem.StatusDetails;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;

/**
 * A port of its own for health and metrics: {@code /actuator} is served there only, and nothing
 * else is. Which of the two a request came by is told by the socket, not by a header.
 */
final class OpsPort extends HttpFilter {

  private static final long serialVersionUID = 1L;

  /** Monitoring needs few. */
  private static final int MAX_CONNECTIONS = 200;

  private final transient Connector connector;

  /**
   * Makes it; it listens when the server does.
   *
   * @param port 0 for any free one
   */
  OpsPort(int port) {
    connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
    connector.setPort(port);
  }

  /** The connector, for the server. */
  Connector connector(InetAddress address) {
    if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> http) {
      http.setAddress(address);
      http.setExecutor(new VirtualThreadExecutor("gateway-ops-"));
      http.setMaxConnections(MAX_CONNECTIONS);
    }
    return connector;
  }

  /** The port that it listens on. */
  int port() {
    return connector.getLocalPort();
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String path = request.getRequestURI();
    boolean ops = path.equals("/actuator") || path.startsWith("/actuator/");
    if (ops == (request.getLocalPort() == port())) {
      chain.doFilter(request, response);
    } else {
      ProblemResponses.write(
          response, Problem.of(ProblemKind.NO_SUCH_RESOURCE, StatusDetails.of(404)));
    }
  }
}
