package dev.tidemark.projector;

import dev.tidemark.topics.route.Route;
import dev.tidemark.topics.route.RouteFile;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Whether the replica tables hold the rows that their routes promise. */
public final class Completeness {

  private Completeness() {}

  /**
   * Whether a replica table lacks rows that only a new generation brings: its partition is past a
   * snapshot, but that snapshot was not projected into this table for this form of its route. So it
   * is after a table was created anew or changed by hand or by a migration.
   *
   * @param replica a connection that may read the internal tables
   */
  public static boolean lacksRows(Connection replica, RouteFile routes) throws SQLException {
    try (PreparedStatement statement =
        replica.prepareStatement(
            "select exists (select from public.tidemark_watermark w where w.pipeline = ? and w.lsn > '0/0'"
                + " and not exists (select from public.tidemark_route r where r.pipeline = w.pipeline"
                + " and r.partition = w.partition and r.target = ? and r.fingerprint = ?))")) {
      for (Route route : routes.routes()) {
        statement.setString(1, routes.pipeline());
        statement.setString(2, route.target());
        statement.setString(3, route.fingerprint());
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          if (row.getBoolean(1)) {
            return true;
          }
        }
      }
      return false;
    }
  }
}
