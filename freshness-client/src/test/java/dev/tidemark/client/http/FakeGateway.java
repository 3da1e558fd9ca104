package dev.tidemark.client.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/** Gives answers that were made before, in turn, over real HTTP, and keeps the requests. */
final class FakeGateway implements AutoCloseable {

  /**
   * One answer.
   *
   * @param headers names and values in turn
   */
  record Answer(int status, String body, String... headers) {}

  /** One request's headers that matter here; an absent one is an empty list. */
  record Request(List<String> lsn, List<String> generation, List<String> prefer) {}

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
  private final List<Request> requests = Collections.synchronizedList(new ArrayList<>());

  FakeGateway(Answer... answers) {
    this.answers.addAll(List.of(answers));
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/api/replica/t/1");
  }

  List<Request> requests() {
    return List.copyOf(requests);
  }

  /** Answers a request that waits for its answer. */
  void answerHanging(Answer answer) {
    answers.add(answer);
  }

  /** A request waits until there is an answer for it. */
  private void answer(HttpExchange exchange) throws IOException {
    requests.add(
        new Request(
            exchange.getRequestHeaders().getOrDefault("X-Required-LSN", List.of()),
            exchange.getRequestHeaders().getOrDefault("X-Required-Generation", List.of()),
            exchange.getRequestHeaders().getOrDefault("Prefer", List.of())));
    Answer answer;
    try {
      answer = answers.take();
    } catch (InterruptedException e) {
      exchange.close();
      return;
    }
    for (int i = 0; i < answer.headers().length; i += 2) {
      exchange.getResponseHeaders().add(answer.headers()[i], answer.headers()[i + 1]);
    }
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    threads.shutdownNow();
    server.stop(0);
  }
}
