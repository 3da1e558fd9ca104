package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.TableName;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the source database holds of the things that a route file names.
 *
 * @param known false when no database was read, and nothing can be said about it
 * @param tables the captured tables that exist
 * @param roles Tidemark's roles that exist
 * @param schemaUsers by schema that exists: Tidemark's roles that may use it
 * @param publication the publication, when it exists
 */
public record SourceCatalog(
    boolean known,
    Map<TableName, TableInfo> tables,
    Map<String, RoleInfo> roles,
    Map<String, Set<String>> schemaUsers,
    Optional<PublicationInfo> publication) {

  public SourceCatalog {
    tables = Map.copyOf(tables);
    roles = Map.copyOf(roles);
    schemaUsers = Map.copyOf(schemaUsers);
  }

  /** The catalog of a database that was not read: plans for it say what they cannot know. */
  public static SourceCatalog unknown() {
    return new SourceCatalog(false, Map.of(), Map.of(), Map.of(), Optional.empty());
  }

  /** The table, when it exists. */
  public Optional<TableInfo> table(TableName name) {
    return Optional.ofNullable(tables.get(name));
  }
}
