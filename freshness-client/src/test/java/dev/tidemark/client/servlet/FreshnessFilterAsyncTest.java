package dev.tidemark.client.servlet;

import static dev.tidemark.client.servlet.FilteredServer.commit;
import static dev.tidemark.client.servlet.FilteredServer.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.client.Position;
import jakarta.servlet.AsyncContext;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SynchronousQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits of asynchronous requests, and of those that are over. */
class FreshnessFilterAsyncTest {

  private static FilteredServer server;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    server = new FilteredServer(folder);
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Test
  void anAsynchronousRequestCommitsOnAnyThread() throws Exception {
    HttpResponse<String> answer =
        server.answer(
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
    server.at(
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
        server.answer((request, response) -> request.startAsync().dispatch("/other"));

    assertThat(token(answer)).contains("0/8");
  }

  @Test
  void aCommitAfterTheRequestIsOverTouchesNoOtherAnswer() throws Exception {
    CompletableFuture<CommitRecorder> keptBySync = new CompletableFuture<>();
    server.answer((request, response) -> keptBySync.complete(CommitRecorder.of(request)));
    CompletableFuture<CommitRecorder> keptByAsync = new CompletableFuture<>();
    server.answer(
        (request, response) -> {
          keptByAsync.complete(CommitRecorder.of(request));
          request.startAsync().complete();
        });
    CommitRecorder kept = keptBySync.get();
    CommitRecorder keptAsync = keptByAsync.get();
    Awaitility.await().until(() -> !kept.isOpen() && !keptAsync.isOpen());

    SynchronousQueue<String> told = new SynchronousQueue<>();
    HttpResponse<String> answer =
        server.answer(
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
}
