package dev.tidemark.client.servlet;

import static dev.tidemark.client.servlet.FilteredServer.commit;
import static dev.tidemark.client.servlet.FilteredServer.token;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a request has committed is in the header of its answer. */
class FreshnessFilterTest {

  private static FilteredServer server;

  private static final DataSource BROKEN =
      (DataSource)
          Proxy.newProxyInstance(
              FreshnessFilterTest.class.getClassLoader(),
              new Class<?>[] {DataSource.class},
              (proxy, method, arguments) -> {
                throw new SQLException("the server is gone", "08006");
              });

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    server = new FilteredServer(folder);
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Test
  void aCommitIsInTheAnswersHeader() throws Exception {
    HttpResponse<String> answer =
        server.answer(
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
    server.answer((request, response) -> commit(request, "0/1"));

    assertThat(token(server.answer((request, response) -> response.getWriter().write("read"))))
        .isEmpty();
  }

  @Test
  void theLargestOfSeveralCommitsCounts() throws Exception {
    HttpResponse<String> answer =
        server.answer(
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
    server.at("/named/service", (request, response) -> commit(request, "0/5"));
    HttpResponse<String> answer = server.get("/named/service");

    assertThat(token(answer)).contains("0/5");
    assertThat(answer.headers().allValues("X-Tx-Generation")).containsExactly("g1");
  }

  @Test
  void aCommitBehindAForwardOrAnIncludeCounts() throws Exception {
    server.at("/other", (request, response) -> commit(request, "0/7"));

    assertThat(
            token(
                server.answer(
                    (request, response) ->
                        request.getRequestDispatcher("/other").forward(request, response))))
        .contains("0/7");
    assertThat(
            token(
                server.answer(
                    (request, response) ->
                        request.getRequestDispatcher("/other").include(request, response))))
        .contains("0/7");
  }

  @Test
  void anAnswerThatIsResetKeepsTheToken() throws Exception {
    HttpResponse<String> answer =
        server.answer(
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
        server.answer(
            (request, response) -> {
              commit(request, "0/7");
              response.sendError(502);
            });

    assertThat(answer.statusCode()).isEqualTo(502);
    assertThat(token(answer)).contains("0/7");
  }

  @Test
  void aCommitOfTheErrorPageCountsToo() throws Exception {
    server.at("/error", (request, response) -> commit(request, "0/9"));
    HttpResponse<String> answer =
        server.answer(
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
        server.answer(
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
        server.answer(
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
  void aPositionThatCannotBeReadIsTheLatestForAllOfTheRequest() throws Exception {
    HttpResponse<String> answer =
        server.answer(
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
        server.answer(
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
