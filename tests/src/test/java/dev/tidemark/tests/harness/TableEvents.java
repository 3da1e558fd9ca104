package dev.tidemark.tests.harness;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The events of a table's topic, as JSON. They come after the replica's rows. */
public final class TableEvents {

  private static final ObjectMapper JSON = new ObjectMapper();

  private TableEvents() {}

  /** Tells an event that shows a row with this {@code id}. */
  public static Predicate<JsonNode> hasRow(int id) {
    return event -> event.path("after").path("id").asInt() == id;
  }

  /** What the topic of a table in {@code public} holds when the last of the changes has come. */
  public static List<JsonNode> until(
      TestPipeline pipeline, String table, Predicate<JsonNode> last) {
    return await()
        .atMost(TestPipeline.LIMIT)
        .until(() -> all(pipeline, table), events -> events.stream().anyMatch(last));
  }

  private static List<JsonNode> all(TestPipeline pipeline, String table) throws Exception {
    List<JsonNode> events = new ArrayList<>();
    for (var message :
        TopicReader.all(
            Servers.shared().kafka().bootstrapServers(),
            pipeline.topics().table("public", table))) {
      events.add(JSON.readTree(message.value()));
    }
    return events;
  }
}
