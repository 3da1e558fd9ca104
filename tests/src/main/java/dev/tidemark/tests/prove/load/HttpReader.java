package dev.tidemark.tests.prove.load;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.prove.history.Content;
import dev.tidemark.tests.prove.history.Figures.Figure;
import dev.tidemark.tests.prove.history.Place;
import dev.tidemark.tests.prove.history.Row;
import dev.tidemark.tests.prove.history.Subject;
import dev.tidemark.tests.prove.history.View;
import dev.tidemark.tests.prove.history.Write;
import dev.tidemark.tests.prove.system.Schema;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.Tenants;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Reads through the gateway: follows tokens until their 200, and reads what others wrote, with and
 * without a gate, also as tenants who may see nothing of it.
 */
public final class HttpReader extends Worker {

  private static final long PAUSE_AFTER_REFUSAL_MS = 100;

  private static final long PAUSE_MS = 2;

  private static final String REQUIRED = "X-Required-LSN";

  private final Http http;
  private final boolean follower;
  private final Random random;

  /**
   * Its choices follow from the seed.
   *
   * @param follower whether it waits for tokens; else it reads anything, and waits little
   */
  public HttpReader(int number, boolean follower, Context context, Http http, long seed) {
    super("reader-" + number, context);
    this.follower = follower;
    this.http = http;
    this.random = new Random(seed);
  }

  /** How an attempt ended. */
  private enum Outcome {
    SERVED,
    PENDING,
    REFUSED,
    GONE
  }

  @Override
  void step() throws InterruptedException {
    if (!follower) {
      wander();
      rest(PAUSE_MS);
      return;
    }
    Optional<Followers.Token> token = context().followers().next();
    if (token.isPresent()) {
      follow(token.get());
    } else {
      rest(PAUSE_MS);
    }
  }

  private void follow(Followers.Token token) throws InterruptedException {
    Subject subject = token.subject();
    Outcome outcome = Outcome.PENDING;
    while (outcome != Outcome.SERVED && outcome != Outcome.GONE && !stopping()) {
      outcome = gated(subject, token.write(), token.lsn().toString(), token.generation());
    }
    if (outcome == Outcome.SERVED) {
      context().figures().count(Figure.TOKENS_FOLLOWED);
      context().figures().waited(Duration.ofNanos(System.nanoTime() - token.nanos()));
      foreign(subject);
    }
  }

  /** Reads anything, gated by a token that somebody was given, by the source's position, or not. */
  private void wander() throws InterruptedException {
    Optional<Subject> any = context().subjects().any(random);
    if (any.isEmpty()) {
      rest(PAUSE_AFTER_REFUSAL_MS);
      return;
    }
    Subject subject = any.get();
    Optional<Place> place = place(subject);
    Optional<Write> write = subject.newestWithToken();
    if (place.isEmpty()) {
      return;
    }
    int choice = random.nextInt(20);
    if (choice < 2 || write.isEmpty()) {
      read(subject, place.get(), Optional.empty(), "", List.of());
    } else if (choice == 2) {
      read(subject, place.get(), write, "latest", List.of(REQUIRED, "latest", "Prefer", "wait=1"));
    } else {
      // What somebody has seen before is as good a demand as what somebody has written.
      Lsn required =
          choice < 12
              ? context().watermarks().floor(context().watermarks().partition(place.get().tenant()))
              : subject.token(write.get());
      read(
          subject, place.get(), write, required.toString(), List.of(REQUIRED, required.toString()));
    }
  }

  private Optional<Place> place(Subject subject) {
    List<Place> places = subject.places();
    return places.isEmpty()
        ? Optional.empty()
        : Optional.of(places.get(random.nextInt(places.size())));
  }

  private Outcome gated(Subject subject, Write write, String required, String generation)
      throws InterruptedException {
    Optional<Place> place = place(subject);
    if (place.isEmpty()) {
      return Outcome.GONE;
    }
    List<String> headers = new ArrayList<>(List.of(REQUIRED, required));
    if (!generation.isEmpty() && random.nextBoolean()) {
      headers.addAll(List.of("X-Required-Generation", generation));
    }
    if (random.nextInt(3) > 0) {
      headers.addAll(List.of("Prefer", "wait=" + (1 + random.nextInt(3))));
    }
    return read(subject, place.get(), Optional.of(write), required, headers);
  }

  private Outcome read(
      Subject subject, Place place, Optional<Write> write, String required, List<String> headers)
      throws InterruptedException {
    boolean byKey = place.target().equals(Schema.DOCUMENTS) && random.nextInt(3) == 0;
    String path =
        "/api/replica/"
            + place.target()
            + (byKey ? "/" + subject.group() : "?grp=" + subject.group() + "&limit=1000");
    String reader = place.tenant().equals(Tenants.SHARED) ? anyTenant() : place.tenant();
    int partition = context().watermarks().partition(place.tenant());
    Lsn floor = context().watermarks().floor(partition);
    long crashes = context().crashes().count();
    long begin = System.nanoTime();
    Answer answer;
    try {
      answer = http.send(reader, "GET", path, "", headers.toArray(String[]::new));
    } catch (IOException e) {
      return refused(subject, path, e.toString());
    }
    String what =
        "GET "
            + path
            + " by "
            + reader
            + " "
            + headers
            + " -> "
            + answer.status()
            + " after "
            + (System.nanoTime() - begin) / 1_000_000
            + " ms";
    switch (answer.status()) {
      case 200, 404 -> {
        Lsn reached = reached(answer, subject, what);
        told(subject, what, partition, floor, reached);
        if (!required.isEmpty()
            && !required.equals("latest")
            && !reached.reaches(Lsn.parse(required))) {
          violation(subject, what + " was served at " + reached + ", before the position");
        }
        String observed =
            answer.status() == 404 ? Content.NOTHING : Content.of(rows(answer.json(), byKey));
        context()
            .violation(
                subject.judge(new View(place.target(), place.tenant()), observed, reached, what),
                subject);
        context().figures().count(write.isPresent() ? Figure.GATED_200 : Figure.PLAIN_READS);
        context().journal().line(what + " at " + reached + " [" + observed + "]");
        return Outcome.SERVED;
      }
      case 202 -> {
        told(subject, what, partition, floor, reached(answer, subject, what));
        if (write.isEmpty() || answer.json().has("rows")) {
          violation(subject, what + " without a gate, or with rows: " + answer.body());
        }
        context().figures().count(Figure.GATED_202);
        context().journal().line(what);
        if (follower) {
          rest(answer.json().path("retryAfterMs").asLong(50));
        }
        return Outcome.PENDING;
      }
      case 409 -> {
        boolean crashed =
            write.isPresent() && write.get().crashes() != context().crashes().count()
                || crashes != context().crashes().count();
        if (!crashed || answer.body().contains("history-changed")) {
          violation(subject, what + " without a crash of the source: " + answer.body());
        }
        context().figures().count(Figure.GATED_409);
        context().journal().line(what);
        return Outcome.GONE;
      }
      case 503 -> {
        return refused(subject, path, answer.body());
      }
      default -> {
        violation(subject, what + " " + answer.body());
        return Outcome.GONE;
      }
    }
  }

  /** Another tenant asks for the same rows, and must find nothing. */
  private void foreign(Subject subject) throws InterruptedException {
    Optional<Place> place = place(subject);
    String stranger = anyTenant();
    if (place.isEmpty()
        || place.get().tenant().equals(Tenants.SHARED)
        || subject.places().stream().anyMatch(each -> each.tenant().equals(stranger))) {
      return;
    }
    String path =
        "/api/replica/" + place.get().target() + "?grp=" + subject.group() + "&limit=1000";
    try {
      Answer answer = http.send(stranger, "GET", path, "");
      if (answer.status() == 200 && answer.json().path("rows").size() != 0) {
        violation(
            subject,
            "rows of another tenant: "
                + path
                + " by "
                + stranger
                + "\n  found    "
                + answer.body()
                + "\n  expected no rows");
      }
      context().figures().count(Figure.FOREIGN_READS);
    } catch (IOException e) {
      refused(subject, path, e.toString());
    }
  }

  private String anyTenant() {
    return Context.TENANTS.get(random.nextInt(Context.TENANTS.size()));
  }

  private static List<Row> rows(JsonNode json, boolean byKey) {
    List<Row> rows = new ArrayList<>();
    for (JsonNode row : byKey ? List.of(json) : json.path("rows")) {
      rows.add(
          new Row(
              row.path(row.has("id") ? "id" : "name").asText(),
              row.path("version").asLong(),
              row.path("owner").asText(),
              row.path("note").asText()));
    }
    return rows;
  }

  private Lsn reached(Answer answer, Subject subject, String what) {
    String header = answer.header("X-Replicated-LSN");
    if (header.isEmpty()) {
      violation(subject, what + " has no X-Replicated-LSN");
      return Lsn.ZERO;
    }
    return Lsn.parse(header);
  }

  private void told(Subject subject, String what, int partition, Lsn floor, Lsn reached) {
    context()
        .violation(
            context()
                .watermarks()
                .told(partition, floor, reached)
                .map(text -> text + "\n  " + what),
            subject);
  }

  private void violation(Subject subject, String text) {
    context().journal().violation(text, subject.history());
  }

  private Outcome refused(Subject subject, String path, String why) {
    context().figures().count(Figure.REFUSED);
    context().journal().line("GET " + path + " of " + subject.group() + " refused: " + why);
    rest(PAUSE_AFTER_REFUSAL_MS);
    return Outcome.REFUSED;
  }
}
