package dev.tidemark.gateway.sync;

import dev.tidemark.gateway.json.JsonObjectWriter;
import dev.tidemark.topics.route.DocumentRoute;
import dev.tidemark.topics.route.Route;
import dev.tidemark.topics.route.TableRoute;

/**
 * How far the replica table of a route is.
 *
 * @param route the route
 * @param readyPartitions in how many partitions the table is complete for this form of the route
 * @param partitions how many there are
 */
public record RouteState(Route route, int readyPartitions, int partitions) {

  /** Whether the table is complete; until then some tenants' reads are pending or refused. */
  public boolean ready() {
    return readyPartitions == partitions;
  }

  /** As JSON. */
  public String json() {
    JsonObjectWriter json = new JsonObjectWriter().text("target", route.target());
    switch (route) {
      case DocumentRoute document -> json.text("doctype", document.doctype());
      case TableRoute table -> json.text("table", table.table());
    }
    return json.value("ready", ready())
        .value("readyPartitions", readyPartitions)
        .value("partitions", partitions)
        .json();
  }
}
