package dev.tidemark.client.spring;

import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A service of the tests that runs on a free port, and a client for it. */
final class RunningShop implements AutoCloseable {

  private final HttpClient http = HttpClient.newHttpClient();
  private final ConfigurableApplicationContext context;

  /**
   * @param properties further ones, as {@code name=value}
   */
  RunningShop(Class<?> application, String... properties) {
    context =
        new SpringApplicationBuilder(application)
            .properties(
                Stream.concat(
                        Stream.of(
                            "server.port=0",
                            "server.address=127.0.0.1",
                            "spring.main.banner-mode=off",
                            "spring.datasource.url=" + Cluster.jdbcUrl(),
                            "spring.datasource.username=" + EmbeddedPostgres.SUPERUSER,
                            "spring.datasource.password=" + Cluster.PASSWORD,
                            // One for each transaction of a request, and none to spare
                            "spring.datasource.hikari.maximum-pool-size=2",
                            "spring.datasource.hikari.connection-timeout=2000"),
                        Arrays.stream(properties))
                    .toArray(String[]::new))
            .run();
  }

  HttpResponse<String> post(String path) throws Exception {
    return send(path, "POST");
  }

  HttpResponse<String> get(String path) throws Exception {
    return send(path, "GET");
  }

  private HttpResponse<String> send(String path, String method) throws Exception {
    String port = context.getEnvironment().getProperty("local.server.port");
    return http.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(30))
            .method(method, BodyPublishers.noBody())
            .build(),
        BodyHandlers.ofString());
  }

  @Override
  public void close() {
    http.close();
    context.close();
  }
}
