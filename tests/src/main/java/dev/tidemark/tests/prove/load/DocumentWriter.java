package dev.tidemark.tests.prove.load;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.prove.history.Content;
import dev.tidemark.tests.prove.history.Figures.Figure;
import dev.tidemark.tests.prove.history.Place;
import dev.tidemark.tests.prove.history.Row;
import dev.tidemark.tests.prove.history.Subject;
import dev.tidemark.tests.prove.history.Write;
import dev.tidemark.tests.prove.system.Schema;
import dev.tidemark.topics.Lsn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Puts, patches and deletes documents through the gateway. */
public final class DocumentWriter extends Worker {

  private static final int DOCUMENTS = 12;
  private static final long PAUSE_MS = 40;
  private static final long PAUSE_AFTER_FAILURE_MS = 250;

  private final Http http;
  private final Random random;
  private final List<Document> documents = new ArrayList<>();

  /** Its choices follow from the seed. */
  public DocumentWriter(int number, Context context, Http http, long seed) {
    super("documents-" + number, context);
    this.http = http;
    this.random = new Random(seed);
    for (int i = 0; i < DOCUMENTS; i++) {
      documents.add(fresh());
    }
  }

  private static final class Document {
    private final Subject subject;
    private final String tenant;
    private @Nullable String note;

    Document(Subject subject, String tenant) {
      this.subject = subject;
      this.tenant = tenant;
    }
  }

  private Document fresh() {
    String tenant = Context.TENANTS.get(random.nextInt(Context.TENANTS.size()));
    return new Document(context().subjects().fresh("doc"), tenant);
  }

  @Override
  void step() throws InterruptedException {
    int index = random.nextInt(documents.size());
    Document document = documents.get(index);
    if (document.subject.retired()) {
      document = fresh();
      documents.set(index, document);
    }
    int choice = random.nextInt(100);
    if (document.note != null && choice < 15) {
      write(document, "DELETE", null);
    } else if (document.note != null && choice < 45) {
      write(document, "PATCH", document.note);
    } else {
      write(document, "PUT", Notes.any(random));
    }
    rest(PAUSE_MS / 2 + random.nextLong(PAUSE_MS));
  }

  private void write(Document document, String method, @Nullable String note)
      throws InterruptedException {
    Subject subject = document.subject;
    // Whether the gateway's commits wait for the disk changes with the faults: taken as if not.
    Write write =
        subject.begin(version -> state(document, version, note), true, context().crashes().count());
    Answer answer;
    try {
      answer =
          http.send(
              document.tenant,
              method,
              "/api/doc/" + Schema.DOCTYPE + "/" + subject.group(),
              body(document, method, write.version(), note));
    } catch (IOException e) {
      unknown(subject, write, e.toString());
      return;
    }
    switch (answer.status()) {
      case 200, 201, 204 -> committed(document, write, note, answer);
      case 503 -> {
        if (answer.body().contains("position-unknown")) {
          document.note = note;
          subject.committed(write, null, context().crashes().count());
        } else {
          unknown(subject, write, "503");
        }
        rest(PAUSE_AFTER_FAILURE_MS);
      }
      default -> {
        subject.unknown(write);
        context()
            .journal()
            .violation(
                method
                    + " of a document was answered with "
                    + answer.status()
                    + " "
                    + answer.body(),
                subject.history());
      }
    }
  }

  private void committed(Document document, Write write, @Nullable String note, Answer answer) {
    Lsn token = Lsn.parse(answer.header("X-Tx-LSN"));
    document.note = note;
    context().crashes().issued(token);
    document.subject.committed(write, token, context().crashes().count());
    context().figures().count(Figure.WRITES);
    context().figures().count(Figure.TOKENS);
    context()
        .journal()
        .line("write " + document.subject.group() + " v" + write.version() + " token " + token);
    context()
        .followers()
        .offer(
            new Followers.Token(
                document.subject,
                write,
                token,
                answer.header("X-Tx-Generation"),
                System.nanoTime()));
  }

  private void unknown(Subject subject, Write write, String why) {
    subject.unknown(write);
    context().figures().count(Figure.UNKNOWN_WRITES);
    context()
        .journal()
        .line("write " + subject.group() + " v" + write.version() + " unknown: " + why);
  }

  private static Map<Place, String> state(Document document, long version, @Nullable String note) {
    if (note == null) {
      return Map.of();
    }
    return Map.of(
        new Place(Schema.DOCUMENTS, document.tenant),
        Content.of(List.of(new Row(document.subject.group(), version, document.tenant, note))));
  }

  private static String body(
      Document document, String method, long version, @Nullable String note) {
    return switch (method) {
      case "PUT" ->
          "{\"grp\":\"%s\",\"version\":%d,\"owner\":\"%s\",\"note\":\"%s\"}"
              .formatted(document.subject.group(), version, document.tenant, note);
      case "PATCH" -> "{\"version\":" + version + "}";
      default -> "";
    };
  }
}
