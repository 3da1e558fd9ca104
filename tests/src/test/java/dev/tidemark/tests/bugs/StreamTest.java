package dev.tidemark.tests.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.gateway.Gateway;
import dev.tidemark.tests.harness.EventStream;
import dev.tidemark.tests.harness.TestPipeline;
import dev.tidemark.topics.Lsn;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The event stream tells where the pipeline stands, and nothing of anybody's rows.
 *
 * <ul>
 *   <li>B39: <a href="https://github.com/supabase/realtime/issues/585">deletes go to every
 *       subscriber</a>
 *   <li>B41: <a href="https://github.com/NVIDIA-AI-Blueprints/aiq/issues/272">ids that move a
 *       client's cursor past events</a>
 * </ul>
 */
@Timeout(120)
class StreamTest {

  private static final String ROUTES =
      """
      partitions: 2
      routes:
        - table: line
          tenant: tenant
          target: replica_line
          columns:
            - { name: v, from: v, type: text }
      """;

  private static TestPipeline pipeline;

  @BeforeAll
  static void start() throws Exception {
    pipeline =
        TestPipeline.start(
            ROUTES, "create table line(id text primary key, tenant text not null, v text)");
    pipeline.catchUp();
  }

  @AfterAll
  static void stop() throws Exception {
    pipeline.close();
  }

  private static EventStream open(String... headers) throws Exception {
    return EventStream.open(
        pipeline.services().gatewayUrl(), pipeline.caller("globex").token(), headers);
  }

  /** Events from now to one that has reached the source's position of now. */
  private static List<EventStream.Event> untilNow(EventStream stream) throws Exception {
    Lsn now = Lsn.parse(pipeline.position());
    List<EventStream.Event> events = new ArrayList<>();
    EventStream.Event event;
    do {
      event = stream.next();
      events.add(event);
    } while (!event.type().equals("watermark") || !reaches(event, now));
    return events;
  }

  private static boolean reaches(EventStream.Event event, Lsn position) {
    return Lsn.parse(event.json().path("replicatedLsn").asText()).reaches(position);
  }

  @Test
  @DisplayName("B39 whatever is deleted, the stream names no row, key or tenant")
  void theStreamNamesNothingOfRows() throws Exception {
    try (EventStream stream = open()) {
      pipeline.source("insert into line values ('key-of-acme', 'acme', 'value-of-acme')");
      pipeline.source("update line set v = 'newer-value-of-acme'");
      pipeline.source("delete from line where id = 'key-of-acme'");
      pipeline.source(
          "insert into line values ('key-of-acme', 'acme', 'v');"
              + " update line set tenant = 'globex'; delete from line");
      pipeline.source("insert into line values ('key-of-acme', 'acme', 'v'); truncate line");

      for (EventStream.Event event : untilNow(stream)) {
        assertThat(event.data())
            .doesNotContain("acme")
            .doesNotContain("globex")
            .doesNotContain("value-of");
      }
    }
  }

  @Test
  @DisplayName("B41 events are states without ids")
  void eventsAreStatesWithoutIds() throws Exception {
    try (EventStream stream = open()) {
      pipeline.source("insert into line select i::text, 'acme', 'v' from generate_series(1, 50) i");

      Lsn last = Lsn.ZERO;
      for (EventStream.Event event : untilNow(stream)) {
        assertThat(event.others()).isEmpty();
        if (event.type().equals("watermark")) {
          assertThat(reaches(event, last)).isTrue();
          last = Lsn.parse(event.json().path("replicatedLsn").asText());
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "0/1", "FFFFFFFF/FFFFFFFF", "of another tenant", "-1"})
  @DisplayName("B41 a client that comes back has missed nothing, whatever id it remembers")
  void aClientThatComesBackHasMissedNothing(String id) throws Exception {
    pipeline.source("insert into line values ('missed', 'acme', 'v'); delete from line");
    try (EventStream stream = id.isEmpty() ? open() : open("Last-Event-ID", id)) {
      List<EventStream.Event> events = untilNow(stream);

      assertThat(events.getLast().json().path("partitions")).hasSize(2);
    }
  }

  @Test
  @DisplayName("B41 a stream ends with its gateway, and goes on at the next one")
  void aStreamGoesOnAtTheNextGateway() throws Exception {
    Gateway first = Gateway.start(pipeline.gateway().build());
    Lsn seen;
    try (EventStream stream =
        EventStream.open("http://127.0.0.1:" + first.port(), pipeline.caller("globex").token())) {
      seen = Lsn.parse(stream.next("watermark").json().path("replicatedLsn").asText());
      first.close();
      assertThat(endsCleanly(stream)).isTrue();
    }
    pipeline.source("insert into line values ('later', 'acme', 'v')");
    pipeline.catchUp();
    try (EventStream stream = open()) {
      // The other gateway hears of the same watermarks, but not in the same moment.
      EventStream.Event event = stream.next("watermark");
      while (!reaches(event, seen)) {
        event = stream.next("watermark");
      }
      assertThat(event.json().path("partitions")).hasSize(2);
    }
  }

  private static boolean endsCleanly(EventStream stream) {
    try {
      while (true) {
        stream.next();
      }
    } catch (EOFException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
