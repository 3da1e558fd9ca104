package dev.tidemark.projector.row;

import dev.tidemark.topics.Tenants;
import dev.tidemark.topics.log.Change;
import dev.tidemark.topics.log.Relation;
import dev.tidemark.topics.log.Tuple;
import dev.tidemark.topics.route.ColumnMapping;
import dev.tidemark.topics.route.ColumnType;
import dev.tidemark.topics.route.DocumentRoute;
import dev.tidemark.topics.route.Route;
import dev.tidemark.topics.route.SourcePath;
import dev.tidemark.topics.route.TableRoute;
import dev.tidemark.topics.route.Transform;
import dev.tidemark.topics.schema.SourceType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the rows of one relation become rows of one route's replica table. Immutable.
 *
 * <p>A partition handles the part of a change that belongs to its own tenants: where a row leaves
 * one tenant for another of a different partition, the one deletes it and the other inserts it.
 */
public final class RoutePlan {

  private final Route route;
  private final ReplicaTable table;
  private final Relation relation;
  private final int partition;
  private final int partitions;
  private final int tenant;
  private final int doctype;
  private final List<ColumnReader> key;
  private final List<ColumnReader> values;

  RoutePlan(Route route, ReplicaTable table, Relation relation, int partition, int partitions) {
    this.route = route;
    this.table = table;
    this.relation = relation;
    this.partition = partition;
    this.partitions = partitions;
    this.key = new ArrayList<>();
    this.values = new ArrayList<>();
    switch (route) {
      case DocumentRoute document -> {
        this.tenant = index("tenant_id");
        this.doctype = index("doctype");
        key.add(plain("name", "name"));
        for (ColumnMapping mapping : document.columns()) {
          values.add(
              reader(
                  mapping.name(), index("data"), mapping.from().segments(), mapping.transform()));
        }
      }
      case TableRoute source -> {
        this.tenant = source.tenant().map(this::index).orElse(-1);
        this.doctype = -1;
        for (ColumnMapping mapping : source.columns()) {
          ColumnReader reader = reader(mapping);
          if (mapping.type().isEmpty()) {
            requireType(reader);
          }
          (table.key().contains(mapping.name()) ? key : values).add(reader);
        }
        for (String column : table.key()) {
          if (key.stream().noneMatch(reader -> reader.column().equals(column))) {
            ColumnReader reader = plain(column, column);
            requireType(reader);
            key.add(reader);
          }
        }
      }
    }
  }

  /** Whether a relation feeds the route. */
  static boolean feeds(
      Route route, Relation relation, dev.tidemark.topics.route.TableName documents) {
    return switch (route) {
      case DocumentRoute document -> relation.table().equals(documents);
      case TableRoute source -> relation.table().equals(source.table());
    };
  }

  /** The replica table. */
  public ReplicaTable table() {
    return table;
  }

  /** The row's key before the change, if it is of this route and this partition. */
  public Optional<RowKey> oldKey(Change change) {
    return key(change.before());
  }

  /** The row's key after the change, if it is of this route and this partition. */
  public Optional<RowKey> newKey(Change change) {
    return key(change.after());
  }

  private Optional<RowKey> key(@Nullable Tuple row) {
    String owner = row == null ? null : ownTenant(row);
    return row == null || owner == null
        ? Optional.empty()
        : Optional.of(new RowKey(table, owner, keyOf(row)));
  }

  /**
   * What the change means for the replica table in this partition.
   *
   * @throws RowException when it does not fit the route
   */
  public Optional<RowOperation> operation(Change change) {
    if (change.operation() == Change.Operation.TRUNCATE) {
      return Optional.of(new RowOperation.Truncate(table));
    }
    Tuple after = change.after();
    Tuple before = change.before();
    String oldTenant = before == null ? null : ownTenant(before);
    String newTenant = after == null ? null : ownTenant(after);
    if (newTenant == null || after == null) {
      return oldTenant == null || before == null
          ? Optional.empty()
          : Optional.of(new RowOperation.Delete(table, oldTenant, keyOf(before)));
    }
    Map<String, @Nullable String> row = keyOf(after);
    boolean complete = true;
    for (ColumnReader reader : values) {
      if (reader.unchanged(after)) {
        complete = false;
      } else {
        row.put(reader.column(), reader.read(after));
      }
    }
    if (oldTenant != null && before != null) {
      Map<String, @Nullable String> oldKey = keyOf(before);
      if (!oldTenant.equals(newTenant) || !oldKey.equals(keyOf(after))) {
        return Optional.of(new RowOperation.Move(table, oldTenant, oldKey, newTenant, row));
      }
    }
    if (complete) {
      return Optional.of(new RowOperation.Upsert(table, newTenant, row));
    }
    if (before != null && oldTenant == null) {
      throw new RowException(
          "route "
              + route.target()
              + ": a row came from another tenant or document type without its large values, which the source did not"
              + " send. Run alter table "
              + relation.table().sql()
              + " replica identity full, and update the row");
    }
    return Optional.of(new RowOperation.Patch(table, newTenant, row));
  }

  /** The row's tenant if the row is of this route and this partition, else null. */
  private @Nullable String ownTenant(Tuple row) {
    if (doctype >= 0 && !((DocumentRoute) route).doctype().equals(row.text(doctype))) {
      return null;
    }
    String name = tenant < 0 ? Tenants.SHARED : row.text(tenant);
    if (name == null || name.isEmpty()) {
      return null;
    }
    return Tenants.partition(name, partitions) == partition ? name : null;
  }

  private Map<String, @Nullable String> keyOf(Tuple row) {
    Map<String, @Nullable String> columns = new HashMap<>();
    for (ColumnReader reader : key) {
      columns.put(reader.column(), reader.read(row));
    }
    return columns;
  }

  private ColumnReader reader(ColumnMapping mapping) {
    SourcePath from = mapping.from();
    return reader(mapping.name(), index(from.head()), from.tail(), mapping.transform());
  }

  private ColumnReader plain(String column, String source) {
    return reader(column, index(source), List.of(), Transform.NONE);
  }

  private ColumnReader reader(String column, int index, List<String> path, Transform transform) {
    String sourceType = relation.types().get(index);
    boolean json = sourceType.equals("json") || sourceType.equals("jsonb");
    return new ColumnReader(
        column, index, path, json, sourceType.startsWith("_"), transform, table.type(column));
  }

  /**
   * A column whose type the route leaves to the source has the type that holds all of its values,
   * until the source changes its own. Then the values may still fit, but not all of them exactly.
   */
  private void requireType(ColumnReader reader) {
    if (!reader.path().isEmpty() || reader.transform() != Transform.NONE) {
      return;
    }
    String sent = relation.types().get(reader.index());
    Optional<ColumnType> exact =
        new SourceType(
                reader.array() ? sent.substring(1) : sent, SourceType.Kind.BUILT_IN, reader.array())
            .plain();
    if (exact.isPresent() && !exact.get().sql().equals(reader.type())) {
      throw new RowException(
          "route %s: the column %s is %s, but %s sends %s now: run the migration of the routes, which tidemark up does at its start"
              .formatted(
                  route.target(),
                  reader.column(),
                  reader.type(),
                  relation.table(),
                  exact.get().sql()));
    }
  }

  private int index(String column) {
    int index = relation.index(column);
    if (index < 0) {
      throw new RowException(
          "route "
              + route.target()
              + ": "
              + relation.table()
              + " no longer sends the column "
              + column
              + ": add it again, or change the route");
    }
    return index;
  }
}
