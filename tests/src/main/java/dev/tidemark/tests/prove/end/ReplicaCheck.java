package dev.tidemark.tests.prove.end;

import dev.tidemark.tests.prove.load.Context;
import dev.tidemark.tests.prove.system.Schema;
import java.sql.SQLException;

/** Compares each replica table with the projection of the source, as SQL of its own says it. */
final class ReplicaCheck {

  private final Context context;

  ReplicaCheck(Context context) {
    this.context = context;
  }

  void run() throws SQLException {
    compare(
        Schema.DOCUMENTS,
        "select tenant_id, name, data->>'grp', (data->>'version')::bigint, data->>'owner',"
            + " data->>'note' from tidemark_doc where doctype = '"
            + Schema.DOCTYPE
            + "'",
        "select tenant_id, name, grp, version, owner, note from " + Schema.DOCUMENTS);
    for (Schema.Kind kind : Schema.Kind.values()) {
      compare(
          kind.target(),
          "select "
              + (kind.tenantBound() ? "tenant_id" : "'*'")
              + ", id, grp, version, owner, note from "
              + kind.table(),
          "select tenant_id, id, grp, version, owner, note from " + kind.target());
    }
  }

  private void compare(String target, String source, String replica) throws SQLException {
    Comparison comparison =
        new Comparison(
            context.tidemark().source().query(source), context.tidemark().replica().query(replica));
    if (!comparison.equal()) {
      context
          .journal()
          .violation(
              "lost or resurrected rows: "
                  + target
                  + " is not the projection of the source: "
                  + comparison.summary(),
              comparison.lines());
    }
  }
}
