package dev.tidemark.tests.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.client.Position;
import dev.tidemark.client.http.FreshClient;
import dev.tidemark.client.http.TokenJar;
import dev.tidemark.tests.harness.Caller;
import dev.tidemark.tests.harness.TestPipeline;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tutorials: their programs run as processes of their own, and are what the pages show. */
class TutorialTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path TUTORIALS = ROOT.resolve("docs/tutorial");

  /** The last link of a paragraph, to a file of the examples, and the block of code after it. */
  private static final Pattern SHOWN =
      Pattern.compile(
          "\\]\\(\\.\\./\\.\\./(?<file>examples/[^)]+)\\)(?:(?!\\n\\n|\\]\\().)*\\n\\n"
              + "```\\w+\\n(?<code>.*?)```",
          Pattern.DOTALL);

  @TempDir private Path folder = Path.of("");

  private static String file(String name) throws Exception {
    return Files.readString(ROOT.resolve("examples").resolve(name));
  }

  /** The harness names pipeline, slot and publication itself. */
  private static String routes() throws Exception {
    String file = file("hubs/routes.yaml");
    return file.substring(file.indexOf("partitions:"));
  }

  @Test
  void theServiceHandsOutTokensAndTheCallerReadsWithThem() throws Exception {
    try (TestPipeline pipeline = TestPipeline.start(routes(), file("hubs/hub.sql"));
        ExampleProcess service =
            ExampleProcess.start(
                folder.resolve("service.log"),
                Map.of(),
                "com.example.hubs.HubService",
                "--server.port=0",
                "--spring.datasource.url=" + pipeline.sourceDatabase().jdbcUrl(),
                "--spring.datasource.username=hub_service",
                "--spring.datasource.password=hub-service-secret")) {
      String url = "http://127.0.0.1:" + service.await("Tomcat started on port (\\d+)");
      Caller care = pipeline.caller("acme", "care");

      theCallersProgramSeesItsWrite(url, care);
      noReadMissesItsWrite(url, care);
      aTokenIsInEveryWritesAnswer(url);
    }
  }

  private void theCallersProgramSeesItsWrite(String service, Caller care) throws Exception {
    try (ExampleProcess program =
        ExampleProcess.start(
            folder.resolve("care.log"),
            Map.of("TOKEN", care.token()),
            "com.example.care.CustomerCare",
            service,
            care.gateway(),
            "Da Nang")) {
      assertThat(program.output())
          .contains("written: 200")
          .contains("read: {\"id\":7,\"city\":\"Da Nang\"");
    }
  }

  private static void noReadMissesItsWrite(String service, Caller care) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      FreshClient client = new FreshClient(http, new TokenJar(), "hubs");
      HttpRequest read =
          HttpRequest.newBuilder(URI.create(care.gateway() + "/api/replica/replica_hub/8"))
              .header("Authorization", "Bearer " + care.token())
              .build();
      for (int i = 0; i < 50; i++) {
        assertThat(client.write(put(service + "/tenants/acme/hubs/8", "Huế " + i)).statusCode())
            .isEqualTo(200);

        assertThat(client.read(read, TestPipeline.LIMIT).orElseThrow())
            .contains("\"city\":\"Huế " + i + "\"");
      }
    }
  }

  private static void aTokenIsInEveryWritesAnswer(String service) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      List<Position> tokens = new ArrayList<>();
      for (String tenant : List.of("acme", "globex")) {
        HttpResponse<String> answer =
            http.send(
                put(service + "/tenants/" + tenant + "/hubs/9", "Huế"),
                HttpResponse.BodyHandlers.ofString());
        tokens.add(Position.parse(answer.headers().firstValue("X-Tx-LSN").orElse("")));
      }
      assertThat(tokens).isSorted();
    }
  }

  private static HttpRequest put(String uri, String body) {
    return HttpRequest.newBuilder(URI.create(uri))
        .timeout(Duration.ofSeconds(30))
        .PUT(BodyPublishers.ofString(body))
        .build();
  }

  @Test
  void thePagesShowTheFilesThatRun() throws Exception {
    Map<String, String> shown = new TreeMap<>();
    try (Stream<Path> pages = Files.list(TUTORIALS)) {
      for (Path page : pages.toList()) {
        Matcher block = SHOWN.matcher(Files.readString(page));
        while (block.find()) {
          shown.put(block.group("file"), block.group("code"));
        }
      }
    }

    assertThat(shown)
        .containsOnlyKeys(
            "examples/hubs/hub.sql",
            "examples/hubs/routes.yaml",
            "examples/src/main/java/com/example/care/CustomerCare.java",
            "examples/src/main/java/com/example/hubs/HubService.java");
    for (Map.Entry<String, String> block : shown.entrySet()) {
      assertThat(block.getValue())
          .as(block.getKey())
          .isEqualTo(Files.readString(ROOT.resolve(block.getKey())));
    }
  }
}
