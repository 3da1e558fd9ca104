package dev.tidemark.gateway.sync;

import dev.tidemark.gateway.db.Database;
import dev.tidemark.topics.route.Route;
import dev.tidemark.topics.route.RouteFile;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads which replica tables are complete. Thread-safe. */
final class RouteStates {

  private static final String SQL =
      "select target, fingerprint, count(*)::integer from public.tidemark_route where pipeline = ?"
          + " group by target, fingerprint";

  private final Database replica;
  private final RouteFile routes;

  RouteStates(Database replica, RouteFile routes) {
    this.replica = replica;
    this.routes = routes;
  }

  /** All routes, in the order of the route file. */
  List<RouteState> read() throws SQLException {
    Map<Form, Integer> complete =
        replica.call(
            connection -> {
              try (PreparedStatement statement = connection.prepareStatement(SQL)) {
                statement.setString(1, routes.pipeline());
                try (ResultSet rows = statement.executeQuery()) {
                  Map<Form, Integer> found = new HashMap<>();
                  while (rows.next()) {
                    found.put(new Form(rows.getString(1), rows.getString(2)), rows.getInt(3));
                  }
                  return found;
                }
              }
            });
    return routes.routes().stream()
        .map(
            route ->
                new RouteState(
                    route, complete.getOrDefault(Form.of(route), 0), routes.partitions()))
        .toList();
  }

  /** A replica table is complete for one form of its route only. */
  private record Form(String target, String fingerprint) {
    static Form of(Route route) {
      return new Form(route.target(), route.fingerprint());
    }
  }
}
