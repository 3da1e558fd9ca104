package dev.tidemark.gateway.web;

import dev.tidemark.gateway.problem.ProblemErrorValve;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.apache.catalina.core.StandardHost;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.Shutdown;

/** How the embedded Tomcat is set up: a virtual thread per request, no sessions, no HTML. */
final class WebServer {

  /** Connections at once; waiting reads and streams keep theirs. */
  private static final int MAX_CONNECTIONS = 20_000;

  /** Connections that the system may hold until they are taken: thousands may come at once. */
  private static final int ACCEPT_COUNT = 4096;

  /** So that a client which sends too much is answered before the connection ends. */
  private static final int MAX_SWALLOW_BYTES = 64 << 20;

  private WebServer() {}

  /**
   * The server.
   *
   * @param ops a second port, where there is one
   */
  static TomcatServletWebServerFactory factory(String host, int port, Optional<OpsPort> ops) {
    TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(port);
    factory.setAddress(address(host));
    factory.setProtocol(LeanHttp.class.getName());
    factory.setShutdown(Shutdown.GRACEFUL);
    factory.setRegisterDefaultServlet(false);
    factory.setDisableMBeanRegistry(true);
    factory.addConnectorCustomizers(
        connector -> {
          // Names may hold slashes and backslashes; the path is split before it is decoded.
          connector.setEncodedSolidusHandling("passthrough");
          connector.setEncodedReverseSolidusHandling("passthrough");
          if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> http) {
            http.setExecutor(new VirtualThreadExecutor("gateway-"));
            http.setMaxConnections(MAX_CONNECTIONS);
            http.setAcceptCount(ACCEPT_COUNT);
            http.setMaxKeepAliveRequests(-1);
            http.setMaxSwallowSize(MAX_SWALLOW_BYTES);
          }
        });
    factory.addEngineValves(new ClientValve());
    factory.addContextCustomizers(
        context -> {
          if (context.getParent() instanceof StandardHost parent) {
            parent.setErrorReportValveClass(ProblemErrorValve.class.getName());
          }
        });
    ops.ifPresent(other -> factory.addAdditionalConnectors(other.connector(address(host))));
    return factory;
  }

  private static InetAddress address(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "host " + host + " is not an address of this machine; 127.0.0.1 is loopback", e);
    }
  }
}
