package dev.tidemark.capture.assemble;

import dev.tidemark.topics.Tenants;
import dev.tidemark.topics.log.Change;
import dev.tidemark.topics.log.Tuple;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.TableName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whose row a change is, before and after it. */
final class TenantLookup {

  private static final Logger LOG = LoggerFactory.getLogger(TenantLookup.class);

  private final RouteFile routes;
  private final Set<TableName> warned = new HashSet<>();
  private final Map<TableName, Optional<String>> columns = new HashMap<>();
  private final Map<TableName, TenantIdentity> identities;

  TenantLookup(RouteFile routes, Map<TableName, TenantIdentity> identities) {
    this.routes = routes;
    this.identities = Map.copyOf(identities);
  }

  /** The partitions that must see the change, one or two of them. */
  Set<Integer> partitions(Change change) {
    Optional<String> column =
        columns.computeIfAbsent(change.relation().table(), routes::tenantColumn);
    if (column.isEmpty()) {
      return Set.of(partition(Tenants.SHARED));
    }
    int index = change.relation().index(column.get());
    if (index < 0) {
      throw new UnusableChangeException(
          change.relation().table()
              + " no longer has the column "
              + column.get()
              + " that its route takes the tenant from: add it again, or change the route");
    }
    int after = -1;
    if (change.after() != null) {
      String tenant = tenant(change, change.after(), index);
      warnOfNobody(change.relation().table(), column.get(), tenant);
      after = partition(tenant);
    }
    if (change.before() != null) {
      int before = partition(tenant(change, change.before(), index));
      return after < 0 || after == before ? Set.of(before) : Set.of(before, after);
    }
    if (change.operation() == Change.Operation.UPDATE
        && identities.get(change.relation().table()) == TenantIdentity.ALWAYS_SENT) {
      throw new UnusableChangeException(
          "an update of "
              + change.relation().table()
              + " came without its old row, so whose row it was is not known: its replica identity was changed. Run"
              + " alter table "
              + change.relation().table().sql()
              + " replica identity full");
    }
    return after < 0 ? Set.of() : Set.of(after);
  }

  private static @Nullable String tenant(Change change, Tuple tuple, int index) {
    if (tuple.unchanged(index)) {
      throw new UnusableChangeException(
          "a change of "
              + change.relation().table()
              + " came without its tenant, which the source holds out of line. Run alter table "
              + change.relation().table().sql()
              + " replica identity full");
    }
    return tuple.text(index);
  }

  private void warnOfNobody(TableName table, String column, @Nullable String tenant) {
    if ((tenant == null || tenant.isEmpty()) && warned.add(table)) {
      LOG.warn(
          "rows of table={} have an empty {}: they are nobody's, and in no replica", table, column);
    }
  }

  /**
   * Rows without a tenant are nobody's; they travel with the empty name, which no policy lets
   * anyone read.
   */
  private int partition(@Nullable String tenant) {
    return Tenants.partition(tenant == null ? "" : tenant, routes.partitions());
  }
}
