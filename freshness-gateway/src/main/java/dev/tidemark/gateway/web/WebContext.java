package dev.tidemark.gateway.web;

import dev.tidemark.gateway.auth.RateLimit;
import jakarta.servlet.Filter;
import java.util.Map;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.web.context.support.StandardServletEnvironment;

/** Runs the Spring context, which holds the web server. */
public final class WebContext implements AutoCloseable {

  private final AnnotationConfigServletWebServerApplicationContext context;

  /** Starts it; the server accepts connections when this returns. */
  public WebContext(GatewayParts parts) {
    context = new AnnotationConfigServletWebServerApplicationContext();
    context.setEnvironment(new Closed());
    context.registerBean(
        GatewayParts.class, () -> parts, definition -> definition.setDestroyMethodName(""));
    parts.ops().ifPresent(port -> filter("opsOnly", port, WebBeans.OPS));
    parts
        .config()
        .requestsPerSecond()
        .ifPresent(limit -> filter("rateLimit", new RateLimit(limit), WebBeans.RATE));
    context.register(WebBeans.class);
    try {
      context.refresh();
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }

  /** The port that it listens on. */
  public int port() {
    WebServer server = context.getWebServer();
    if (server == null) {
      throw new IllegalStateException("the web server has been stopped");
    }
    return server.getPort();
  }

  private void filter(String name, Filter filter, int order) {
    context.registerBean(name, FilterRegistrationBean.class, () -> WebBeans.filter(filter, order));
  }

  /** Takes no more requests, lets those that run end, and stops. */
  @Override
  public void close() {
    context.close();
  }

  /** Neither environment variables nor system properties change what the configuration says. */
  private static final class Closed extends StandardServletEnvironment {
    @Override
    protected void customizePropertySources(MutablePropertySources sources) {
      sources.addLast(new MapPropertySource("gateway", Map.of()));
    }
  }
}
