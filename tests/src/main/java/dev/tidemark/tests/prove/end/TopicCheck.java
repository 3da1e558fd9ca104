package dev.tidemark.tests.prove.end;

import dev.tidemark.tests.prove.load.Context;
import dev.tidemark.tests.prove.system.Schema;
import dev.tidemark.topics.TopicNames;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;

/** Compares what a consumer makes of each table topic, from its start, with the source. */
final class TopicCheck {

  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final TopicNames TOPICS = new TopicNames(Schema.PIPELINE);

  private final Context context;

  TopicCheck(Context context) {
    this.context = context;
  }

  void run() throws SQLException, IOException {
    compare(
        "tidemark_doc",
        "select tenant_id, doctype, name, version::text, data::text from tidemark_doc",
        "tenant_id",
        "doctype",
        "name",
        "version",
        "data");
    for (Schema.Kind kind : Schema.Kind.values()) {
      compare(
          kind.table(),
          "select tenant_id, id, grp, version::text, owner, note from " + kind.table(),
          "tenant_id",
          "id",
          "grp",
          "version",
          "owner",
          "note");
    }
  }

  /** The topics have no watermark: whatever is still on its way gets some time. */
  private void compare(String table, String query, String... columns)
      throws SQLException, IOException {
    String topic = TOPICS.table("public", table);
    var rows = context.tidemark().source().query(query);
    long deadline = System.nanoTime() + LIMIT.toNanos();
    try (TopicReplay replay =
        new TopicReplay(context.tidemark().kafkaBootstrap(), topic, columns)) {
      while (true) {
        replay.readToEnd();
        Comparison comparison = new Comparison(rows, replay.rows());
        if (comparison.equal()) {
          return;
        }
        if (System.nanoTime() - deadline > 0) {
          context
              .journal()
              .violation(
                  "table topic " + topic + " does not lead to the source: " + comparison.summary(),
                  comparison.lines());
          return;
        }
      }
    }
  }
}
