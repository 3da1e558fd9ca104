package dev.tidemark.topics.route;

import dev.tidemark.topics.yaml.Problems;
import dev.tidemark.topics.yaml.YamlMap;
import dev.tidemark.topics.yaml.YamlValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads the {@code routes} of a file, and checks them against each other. */
final class RouteReader {

  private static final List<String> DOCUMENT_KEYS =
      List.of("doctype", "target", "on_error", "columns");
  private static final List<String> TABLE_KEYS =
      List.of("table", "tenant", "key", "target", "on_error", "columns");

  /** Where a table was first routed, and by which tenant column. */
  private record Tenancy(int line, Optional<String> tenant) {}

  private final Problems problems;
  private final TableName documents;
  private final Map<String, Integer> targetLines = new HashMap<>();
  private final Map<String, ErrorPolicy> policies = new HashMap<>();
  private final Map<TableName, Tenancy> tenancies = new HashMap<>();

  RouteReader(Problems problems, TableName documents) {
    this.problems = problems;
    this.documents = documents;
  }

  List<Route> read(Node node) {
    List<Route> routes = new ArrayList<>();
    List<Node> entries = YamlValues.list(node, "`routes`", problems).orElse(List.of());
    if (node instanceof SequenceNode && entries.isEmpty()) {
      problems.at(node, "`routes` is empty; name at least one route");
    }
    for (Node entry : entries) {
      YamlMap.of(entry, "a route", problems).flatMap(this::route).ifPresent(routes::add);
    }
    return routes;
  }

  /** What the routes read so far say of changes that cannot be written, by target. */
  Map<String, ErrorPolicy> policies() {
    return policies;
  }

  private Optional<? extends Route> route(YamlMap map) {
    if (map.has("doctype") && map.has("table")) {
      problems.at(map.node(), "a route has either `doctype` or `table`, but this one has both");
      return withoutSource(map);
    }
    if (map.has("doctype")) {
      return documentRoute(map.knowing(DOCUMENT_KEYS));
    }
    if (map.has("table")) {
      return tableRoute(map.knowing(TABLE_KEYS));
    }
    problems.at(
        map.node(), "a route lacks its source: `doctype` for documents of a type, or `table`");
    List<String> known = new ArrayList<>(TABLE_KEYS);
    known.addFirst("doctype");
    return withoutSource(map.knowing(known));
  }

  /** What else is wrong in the route is told in the same run. */
  private Optional<Route> withoutSource(YamlMap map) {
    target(map);
    map.require("columns").ifPresent(node -> new ColumnReader(problems, false).read(node));
    return Optional.empty();
  }

  private Optional<DocumentRoute> documentRoute(YamlMap map) {
    Optional<String> doctype = map.requireText("doctype");
    Optional<String> target = target(map);
    Optional<List<ColumnMapping>> columns =
        map.require("columns").map(node -> new ColumnReader(problems, true).read(node));
    if (doctype.isEmpty() || target.isEmpty() || columns.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new DocumentRoute(doctype.get(), target.get(), columns.get()));
  }

  private Optional<TableRoute> tableRoute(YamlMap map) {
    Optional<TableName> table =
        map.require("table").flatMap(node -> TableNames.read(node, problems));
    Optional<String> tenant = map.text("tenant");
    tenant.ifPresent(name -> checkExisting(map.at("tenant"), name));
    table.ifPresent(name -> checkTenancy(map, name, tenant));
    List<String> key = map.get("key").map(this::key).orElse(List.of());
    Optional<String> target = target(map);
    Optional<List<ColumnMapping>> columns =
        map.require("columns").map(node -> new ColumnReader(problems, false).read(node));
    if (table.isEmpty() || target.isEmpty() || columns.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new TableRoute(table.get(), tenant, key, target.get(), columns.get()));
  }

  private List<String> key(Node node) {
    if (node instanceof SequenceNode sequence && sequence.getValue().isEmpty()) {
      problems.at(node, "`key` is empty; name its columns, or remove it for the primary key");
    }
    List<String> key = YamlValues.texts(node, "`key`", problems);
    key.forEach(name -> checkExisting(node, name));
    return key;
  }

  private void policy(YamlMap map, String target) {
    map.text("on_error")
        .ifPresent(
            text -> {
              switch (text) {
                case "stop" -> policies.put(target, ErrorPolicy.STOP);
                case "quarantine" -> policies.put(target, ErrorPolicy.QUARANTINE);
                default ->
                    problems.at(
                        map.at("on_error"),
                        "`on_error: %s` is neither `stop` nor `quarantine`".formatted(text));
              }
            });
  }

  private Optional<String> target(YamlMap map) {
    Optional<String> target = map.requireText("target");
    policy(map, target.orElse(""));
    target.ifPresent(
        name -> {
          Node node = map.at("target");
          NameRules.target(name)
              .ifPresent(
                  rule -> problems.at(node, "`%s` cannot be a target: %s".formatted(name, rule)));
          Integer first = targetLines.putIfAbsent(name, Problems.line(node));
          if (first != null) {
            problems.at(
                node,
                "`%s` is the target of another route already, on line %d; each route has its own"
                    .formatted(name, first));
          }
        });
    return target;
  }

  /** A change goes to the partition of its tenant, so a table can have one tenant column only. */
  private void checkTenancy(YamlMap map, TableName table, Optional<String> tenant) {
    Node node = map.at("tenant");
    if (table.equals(documents) && !tenant.equals(Optional.of("tenant_id"))) {
      problems.at(node, "%s is the document table: its `tenant` is tenant_id".formatted(table));
      return;
    }
    Tenancy first = tenancies.putIfAbsent(table, new Tenancy(Problems.line(node), tenant));
    if (first != null && !first.tenant().equals(tenant)) {
      problems.at(
          node,
          "%s has %s here, but %s in the route on line %d; all routes of a table have the same"
              .formatted(table, tenancy(tenant), tenancy(first.tenant()), first.line()));
    }
  }

  private static String tenancy(Optional<String> tenant) {
    return tenant.map(name -> "the tenant column `" + name + "`").orElse("no tenant column");
  }

  private void checkExisting(Node node, String name) {
    NameRules.existing(name)
        .ifPresent(rule -> problems.at(node, "`%s` is no column's name: %s".formatted(name, rule)));
  }
}
