package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the replica database needs for a route file: roles, internal tables, and one table under
 * row-level security for each route. A comment marks the tables that Tidemark made, so that no
 * other table is ever changed.
 */
public final class ReplicaPlan {

  static final String COMMENT_PREFIX = "Tidemark replica table of pipeline ";

  private static final Map<Roles, List<String>> RIGHTS =
      Map.of(Roles.PROJECTOR, Grants.WRITE, Roles.GATEWAY, Grants.READ);

  private final RouteFile file;
  private final List<ReplicaTable> wanted;
  private final ReplicaCatalog catalog;
  private final String comment;

  /** Statements that the owner role executes, so that it owns what they create. */
  private final List<Statement> owned = new ArrayList<>();

  private ReplicaPlan(RouteFile file, List<ReplicaTable> wanted, ReplicaCatalog catalog) {
    this.file = file;
    this.wanted = wanted;
    this.catalog = catalog;
    this.comment = COMMENT_PREFIX + file.pipeline();
  }

  /**
   * Plans what differs between the catalog and the routes; nothing when nothing does.
   *
   * @param tables the replica tables of the file's routes
   * @throws PlanException when the number of partitions was another, or when a table stands where a
   *     route wants its own
   */
  public static Plan of(RouteFile file, List<ReplicaTable> tables, ReplicaCatalog catalog) {
    ReplicaPlan plan = new ReplicaPlan(file, tables, catalog);
    plan.refuse();
    plan.internalTables();
    tables.forEach(plan::replicaTable);
    plan.unrouted();
    List<Statement> statements = new ArrayList<>(plan.roles());
    if (!plan.owned.isEmpty()) {
      statements.add(
          new Statement(
              "set local role " + Sql.identifier(Roles.OWNER.roleName()),
              "the owner role owns what follows"));
      statements.addAll(plan.owned);
      statements.add(new Statement("reset role", "back to the role that runs this"));
    }
    return new Plan("replica", statements);
  }

  private void refuse() {
    List<String> problems = new ArrayList<>();
    if (catalog.partitions() != 0 && catalog.partitions() != file.partitions()) {
      problems.add(
          ("pipeline %s has %d partitions, and the route file says %d: the partitions of a pipeline"
                  + " cannot be changed in place, since every tenant would move; go back to %d, or"
                  + " choose another name under `pipeline` (and another slot and targets)")
              .formatted(
                  file.pipeline(), catalog.partitions(), file.partitions(), catalog.partitions()));
    }
    for (ReplicaTable table : wanted) {
      Optional<TableInfo> found = existing(table.name());
      if (found.isPresent() && !found.get().comment().equals(Optional.of(comment))) {
        problems.add(
            "route %s: the replica database has a table %s already, which %s; choose another target"
                .formatted(
                    table.name().name(),
                    table.name(),
                    found
                        .get()
                        .comment()
                        .filter(text -> text.startsWith(COMMENT_PREFIX))
                        .map(
                            text ->
                                "belongs to pipeline " + text.substring(COMMENT_PREFIX.length()))
                        .orElse("Tidemark did not make")));
      }
    }
    if (!problems.isEmpty()) {
      throw new PlanException(problems);
    }
  }

  private List<Statement> roles() {
    String owner = Sql.identifier(Roles.OWNER.roleName());
    List<Statement> statements =
        new ArrayList<>(
            Roles.ensure(List.of(Roles.OWNER, Roles.PROJECTOR, Roles.GATEWAY), catalog.roles()));
    if (!catalog.roles().containsKey(Roles.OWNER.roleName())) {
      statements.add(
          new Statement(
              """
              do $do$ begin
                if not (select rolsuper from pg_roles where rolname = current_user) then
                  grant %s to current_user;
                end if;
              end $do$"""
                  .formatted(owner),
              "whoever migrates acts as the owner role"));
    }
    if (!catalog.ownerCreates()) {
      statements.add(
          new Statement(
              "grant usage, create on schema \"public\" to " + owner,
              "the owner role creates the replica tables"));
    }
    statements.addAll(
        Grants.usage("public", catalog.schemaUsers(), List.of(Roles.PROJECTOR, Roles.GATEWAY)));
    return statements;
  }

  private void internalTables() {
    for (InternalTable table : InternalTable.ALL) {
      Optional<TableInfo> existing = existing(table.name());
      if (existing.isEmpty()) {
        owned.add(table.create());
      } else {
        owned.addAll(table.upgrade(existing.get()));
      }
      if (table.ofTenants()) {
        owned.addAll(
            RowSecurity.ensure(table.name(), existing, List.of(Policy.tenant(List.of())), true));
      }
      owned.addAll(Grants.exactly(table.name(), grants(existing), table.rights()));
    }
    if (catalog.partitions() == 0) {
      owned.add(InternalTable.watermarkRows(file.pipeline(), file.partitions()));
    }
  }

  private void replicaTable(ReplicaTable table) {
    Optional<TableInfo> existing = existing(table.name());
    if (existing.isPresent() && rebuilt(table, existing.get())) {
      owned.add(
          new Statement(
              "drop table " + table.name().sql(), "its key changed, so it is made and read anew"));
      existing = Optional.empty();
    }
    List<Statement> changes = existing.map(found -> changes(table, found)).orElse(List.of());
    owned.addAll(changes);
    if (existing.isEmpty()) {
      owned.add(new Statement(table.createSql(), "the replica table of a route"));
      owned.add(
          new Statement(
              "comment on table %s is %s".formatted(table.name().sql(), Sql.literal(comment)),
              "marks the table as one that migrations may change"));
    }
    if ((existing.isEmpty() || !changes.isEmpty())
        && catalog.completed().contains(table.name().name())) {
      owned.add(
          InternalTable.incomplete(
              file.pipeline(), table.name().name(), "its rows must be read again"));
    }
    owned.addAll(
        RowSecurity.ensure(table.name(), existing, List.of(Policy.tenant(List.of())), true));
    owned.addAll(Grants.exactly(table.name(), grants(existing), RIGHTS));
  }

  /** Whether the table cannot become the wanted one column by column. */
  private static boolean rebuilt(ReplicaTable table, TableInfo found) {
    return !found.primaryKey().equals(table.primaryKey())
        || table.columns().stream()
            .anyMatch(column -> table.fixed(column) && !column.type().equals(type(found, column)));
  }

  private static List<Statement> changes(ReplicaTable table, TableInfo found) {
    Map<String, ReplicaColumn> columns =
        table.columns().stream().collect(Collectors.toMap(ReplicaColumn::name, c -> c));
    List<Statement> statements = new ArrayList<>();
    for (ColumnInfo column : found.columns()) {
      ReplicaColumn kept = columns.get(column.name());
      if (kept == null || !kept.type().equals(column.type())) {
        statements.add(
            new Statement(
                "alter table %s drop column %s"
                    .formatted(table.name().sql(), Sql.identifier(column.name())),
                kept == null ? "the route declares it no more" : "its type changed"));
      }
    }
    for (ReplicaColumn column : table.columns()) {
      if (!column.type().equals(type(found, column))) {
        statements.add(
            new Statement(
                "alter table %s add column %s".formatted(table.name().sql(), column.definition()),
                "the next snapshot fills it"));
      }
    }
    return statements;
  }

  private static String type(TableInfo table, ReplicaColumn column) {
    return table.column(column.name()).map(ColumnInfo::type).orElse("");
  }

  /** Nothing keeps the rows of earlier routes up to date, so nobody reads them through Tidemark. */
  private void unrouted() {
    Set<String> targets =
        wanted.stream().map(table -> table.name().name()).collect(Collectors.toSet());
    catalog.tables().values().stream()
        .filter(table -> table.comment().equals(Optional.of(comment)))
        .filter(table -> !targets.contains(table.name().name()))
        .sorted(java.util.Comparator.comparing(table -> table.name().name()))
        .forEach(table -> owned.addAll(Grants.exactly(table.name(), table.grants(), Map.of())));
    catalog.completed().stream()
        .filter(target -> !targets.contains(target))
        .sorted()
        .forEach(
            target ->
                owned.add(
                    InternalTable.incomplete(
                        file.pipeline(), target, "no route keeps it up to date any more")));
  }

  private Optional<TableInfo> existing(TableName table) {
    return Optional.ofNullable(catalog.tables().get(table));
  }

  private static Set<Grant> grants(Optional<TableInfo> table) {
    return table.map(TableInfo::grants).orElse(Set.of());
  }
}
