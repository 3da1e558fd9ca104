package dev.tidemark.client.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.client.Position;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** The filter in a real container; what the services commit is a position that a test names. */
final class FilteredServer implements AutoCloseable {

  /** What a test's servlet does with a request. */
  interface Service {
    void answer(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException, InterruptedException;
  }

  private final Map<String, Service> services = new ConcurrentHashMap<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Tomcat tomcat = new Tomcat();

  /** Runs what the test has put at its path. */
  private final class Running extends HttpServlet {

    private static final long serialVersionUID = 1;

    private final String path;

    Running(String path) {
      this.path = path;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      try {
        Objects.requireNonNull(services.get(path), path).answer(request, response);
      } catch (InterruptedException e) {
        throw new ServletException(e);
      }
    }
  }

  /** Starts it. */
  FilteredServer(Path folder) throws LifecycleException {
    tomcat.setBaseDir(folder.toString());
    tomcat.setPort(0);
    Context context = tomcat.addContext("", folder.toString());
    filter(context, "plain", new FreshnessFilter(), "/*");
    filter(context, "named", new FreshnessFilter(() -> Optional.of("g1")), "/named/*");
    for (String path : new String[] {"/service", "/other", "/error", "/named/service"}) {
      Wrapper servlet = Tomcat.addServlet(context, path, new Running(path));
      servlet.setAsyncSupported(true);
      servlet.addMapping(path);
    }
    ErrorPage page = new ErrorPage();
    page.setErrorCode(409);
    page.setLocation("/error");
    context.addErrorPage(page);
    tomcat.getConnector(); // makes it
    tomcat.start();
  }

  private static void filter(Context context, String name, FreshnessFilter filter, String path) {
    FilterDef definition = new FilterDef();
    definition.setFilterName(name);
    definition.setFilter(filter);
    definition.setAsyncSupported("true");
    context.addFilterDef(definition);
    FilterMap map = new FilterMap();
    map.setFilterName(name);
    map.addURLPattern(path);
    map.setDispatcher(DispatcherType.REQUEST.name());
    map.setDispatcher(DispatcherType.ASYNC.name());
    map.setDispatcher(DispatcherType.ERROR.name());
    if (name.equals("named")) {
      context.addFilterMapBefore(map);
    } else {
      context.addFilterMap(map);
    }
  }

  /** Lets a service answer at a path. */
  void at(String path, Service service) {
    services.put(path, service);
  }

  /** What this service answers. */
  HttpResponse<String> answer(Service service) throws IOException, InterruptedException {
    at("/service", service);
    return get("/service");
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + path);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  static void commit(HttpServletRequest request, String position) {
    CommitRecorder.of(request).committed(Position.parse(position));
  }

  static Optional<String> token(HttpResponse<String> answer) {
    assertThat(answer.headers().allValues("X-Tx-LSN")).hasSizeLessThanOrEqualTo(1);
    return answer.headers().firstValue("X-Tx-LSN");
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
    http.close();
  }
}
