package dev.tidemark.client.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.client.Position;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The filter in a real container; what the services commit is a position that the test names. */
class FreshnessFilterTest {

  /** What a test's servlet does with a request. */
  private interface Service {
    void answer(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException, InterruptedException;
  }

  private static final Map<String, Service> SERVICES = new ConcurrentHashMap<>();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Tomcat TOMCAT = new Tomcat();

  private static final DataSource BROKEN =
      (DataSource)
          Proxy.newProxyInstance(
              FreshnessFilterTest.class.getClassLoader(),
              new Class<?>[] {DataSource.class},
              (proxy, method, arguments) -> {
                throw new SQLException("the server is gone", "08006");
              });

  /** Runs what the test has put at its path. */
  private static final class Running extends HttpServlet {

    private static final long serialVersionUID = 1;

    private final String path;

    Running(String path) {
      this.path = path;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      try {
        Objects.requireNonNull(SERVICES.get(path), path).answer(request, response);
      } catch (InterruptedException e) {
        throw new ServletException(e);
      }
    }
  }

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    TOMCAT.setBaseDir(folder.toString());
    TOMCAT.setPort(0);
    Context context = TOMCAT.addContext("", folder.toString());
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
    TOMCAT.getConnector(); // makes it
    TOMCAT.start();
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

  @AfterAll
  static void stop() throws Exception {
    TOMCAT.stop();
    TOMCAT.destroy();
    HTTP.close();
  }

  private static HttpResponse<String> answer(Service service) throws Exception {
    SERVICES.put("/service", service);
    return get("/service");
  }

  private static HttpResponse<String> get(String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + TOMCAT.getConnector().getLocalPort() + path);
    return HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  private static void commit(HttpServletRequest request, String position) {
    CommitRecorder.of(request).committed(Position.parse(position));
  }

  private static Optional<String> token(HttpResponse<String> answer) {
    assertThat(answer.headers().allValues("X-Tx-LSN")).hasSizeLessThanOrEqualTo(1);
    return answer.headers().firstValue("X-Tx-LSN");
  }

  @Test
  void aCommitIsInTheAnswersHeader() throws Exception {
    HttpResponse<String> answer =
        answer(
            (request, response) -> {
              commit(request, "0/387F920");
              response.getWriter().write("done");
            });

    assertThat(answer.body()).isEqualTo("done");
    assertThat(token(answer)).contains("0/387F920");
    assertThat(answer.headers().firstValue("X-Tx-Generation")).isEmpty();
  }

  @Test
  void aRequestWithoutACommitHasNoToken() throws Exception {
    answer((request, response) -> commit(request, "0/1"));

    assertThat(token(answer((request, response) -> response.getWriter().write("read")))).isEmpty();
  }

  @Test
  void theLargestOfSeveralCommitsCounts() throws Exception {
    HttpResponse<String> answer =
        answer(
            (request, response) -> {
              commit(request, "F/FFFFFFFF");
              commit(request, "10/0");
              commit(request, "9/5");
              assertThat(CommitRecorder.of(request).token())
                  .hasValueSatisfying(it -> assertThat(it.position()).hasToString("10/0"));
            });

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(token(answer)).contains("10/0");
  }

  @Test
  void theHistoryIsNamedWhereItIsKnown() throws Exception {
    SERVICES.put("/named/service", (request, response) -> commit(request, "0/5"));
    HttpResponse<String> answer = get("/named/service");

    assertThat(token(answer)).contains("0/5");
    assertThat(answer.headers().allValues("X-Tx-Generation")).containsExactly("g1");
  }

  @Test
  void aCommitBehindAForwardOrAnIncludeCounts() throws Exception {
    SERVICES.put("/other", (request, response) -> commit(request, "0/7"));

    assertThat(
            token(
                answer(
                    (request, response) ->
                        request.getRequestDispatcher("/other").forward(request, response))))
        .contains("0/7");
    assertThat(
            token(
                answer(
                    (request, response) ->
                        request.getRequestDispatcher("/other").include(request, response))))
        .contains("0/7");
  }

  @Test
  void anAnswerThatIsResetKeepsTheToken() throws Exception {
    HttpResponse<String> answer =
        answer(
            (request, response) -> {
              response.setHeader("X-Other", "1");
              commit(request, "0/7");
              response.reset();
              response.setStatus(422);
            });

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.headers().firstValue("X-Other")).isEmpty();
    assertThat(token(answer)).contains("0/7");
  }

  @Test
  void anErrorAfterTheCommitKeepsTheToken() throws Exception {
    HttpResponse<String> answer =
        answer(
            (request, response) -> {
              commit(request, "0/7");
              response.sendError(502);
            });

    assertThat(answer.statusCode()).isEqualTo(502);
    assertThat(token(answer)).contains("0/7");
  }

  @Test
  void aCommitOfTheErrorPageCountsToo() throws Exception {
    SERVICES.put("/error", (request, response) -> commit(request, "0/9"));
    HttpResponse<String> answer =
        answer(
            (request, response) -> {
              commit(request, "0/7");
              response.sendError(409);
            });

    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(token(answer)).contains("0/9");
  }

  @Test
  void aCommitAfterTheHeadersAreSentIsToldToWhoeverCommits() throws Exception {
    AtomicReference<Throwable> told = new AtomicReference<>();
    HttpResponse<String> answer =
        answer(
            (request, response) -> {
              response.getWriter().write("first line\n");
              response.flushBuffer();
              try {
                commit(request, "0/7");
              } catch (LateCommitException e) {
                told.set(e);
                response.getWriter().write(e.token().orElseThrow().position().toString());
              }
            });

    assertThat(told.get())
        .hasMessageContaining("headers were sent before")
        .hasMessageContaining("do not repeat it");
    assertThat(token(answer)).isEmpty();
    assertThat(answer.body()).isEqualTo("first line\n0/7");
  }

  @Test
  void aStreamKeepsTheTokenOfACommitBeforeItsFirstFlush() throws Exception {
    HttpResponse<String> answer =
        answer(
            (request, response) -> {
              commit(request, "0/7");
              for (int line = 0; line < 3; line++) {
                response.getWriter().write(line + "\n");
                response.flushBuffer();
              }
            });

    assertThat(token(answer)).contains("0/7");
    assertThat(answer.body()).isEqualTo("0\n1\n2\n");
  }

  @Test
  void anAsynchronousRequestCommitsOnAnyThread() throws Exception {
    HttpResponse<String> answer =
        answer(
            (request, response) -> {
              AsyncContext async = request.startAsync();
              CommitRecorder recorder = CommitRecorder.of(request);
              Thread.ofVirtual()
                  .start(
                      () -> {
                        recorder.committed(Position.parse("0/7"));
                        async.complete();
                      });
            });

    assertThat(token(answer)).contains("0/7");
  }

  @Test
  void anAsynchronousRequestMayGoOnInTheContainer() throws Exception {
    SERVICES.put(
        "/other",
        (request, response) -> {
          commit(request, "0/7");
          AsyncContext again = request.startAsync();
          CommitRecorder recorder = CommitRecorder.of(request);
          again.start(
              () -> {
                recorder.committed(Position.parse("0/8"));
                again.complete();
              });
        });

    HttpResponse<String> answer =
        answer((request, response) -> request.startAsync().dispatch("/other"));

    assertThat(token(answer)).contains("0/8");
  }

  @Test
  void aCommitAfterTheRequestIsOverTouchesNoOtherAnswer() throws Exception {
    CompletableFuture<CommitRecorder> keptBySync = new CompletableFuture<>();
    answer((request, response) -> keptBySync.complete(CommitRecorder.of(request)));
    CompletableFuture<CommitRecorder> keptByAsync = new CompletableFuture<>();
    answer(
        (request, response) -> {
          keptByAsync.complete(CommitRecorder.of(request));
          request.startAsync().complete();
        });
    CommitRecorder kept = keptBySync.get();
    CommitRecorder keptAsync = keptByAsync.get();
    Awaitility.await().until(() -> !kept.isOpen() && !keptAsync.isOpen());

    SynchronousQueue<String> told = new SynchronousQueue<>();
    HttpResponse<String> answer =
        answer(
            (request, response) -> {
              Thread.ofVirtual().start(() -> put(told, late(kept)));
              response.getWriter().write(told.take());
            });

    assertThat(answer.body()).startsWith("the request was over when a transaction committed");
    assertThat(late(keptAsync)).startsWith("the request was over");
    assertThat(token(answer)).isEmpty();
  }

  private static String late(CommitRecorder recorder) {
    try {
      recorder.committed(Position.parse("0/7"));
      return "not late";
    } catch (LateCommitException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static void put(SynchronousQueue<String> queue, String text) {
    try {
      queue.put(text);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aPositionThatCannotBeReadIsTheLatestForAllOfTheRequest() throws Exception {
    HttpResponse<String> answer =
        answer(
            (request, response) -> {
              commit(request, "0/7");
              CommitRecorder.of(request).committed(BROKEN);
              commit(request, "0/8");
              assertThat(CommitRecorder.of(request).token()).isEmpty();
            });

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(token(answer)).contains("latest");
  }

  @Test
  void aRequestThatMissedTheFilterIsToldSo() throws Exception {
    HttpResponse<String> answer =
        answer(
            (request, response) -> {
              request.removeAttribute(CommitRecorder.class.getName());
              try {
                commit(request, "0/7");
              } catch (IllegalStateException e) {
                response.getWriter().write(String.valueOf(e.getMessage()));
              }
            });

    assertThat(answer.body()).contains("did not come through FreshnessFilter");
  }
}
