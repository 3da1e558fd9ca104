package dev.tidemark.gateway.web;

import dev.tidemark.gateway.problem.ProblemErrorValve;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.catalina.core.StandardHost;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.Shutdown;

/** How the embedded Tomcat is set up: a virtual thread per request, no sessions, no HTML. */
final class WebServer {

  /** Connections at once; waiting reads and streams keep theirs. */
  private static final int MAX_CONNECTIONS = 20_000;

  /** So that a client which sends too much is answered before the connection ends. */
  private static final int MAX_SWALLOW_BYTES = 64 << 20;

  private WebServer() {}

  static TomcatServletWebServerFactory factory(String host, int port) {
    TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(port);
    factory.setAddress(address(host));
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
            http.setMaxKeepAliveRequests(-1);
            http.setMaxSwallowSize(MAX_SWALLOW_BYTES);
          }
        });
    factory.addContextCustomizers(
        context -> {
          if (context.getParent() instanceof StandardHost parent) {
            parent.setErrorReportValveClass(ProblemErrorValve.class.getName());
          }
        });
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
