package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.TableName;
import java.util.List;
import java.util.Map;

/**
 * A table of the replica database in which the projector keeps its state.
 *
 * @param name the table
 * @param body its columns and primary key
 * @param added columns that later versions added
 * @param ofTenants whether it is under row-level security, as replica tables are
 * @param rights who may do what
 * @param reason what it is for
 */
record InternalTable(
    TableName name,
    String body,
    List<Added> added,
    boolean ofTenants,
    Map<Roles, List<String>> rights,
    String reason) {

  /** A column that later versions added, with its type and constraints. */
  record Added(String name, String definition) {}

  static final TableName WATERMARK = new TableName("public", "tidemark_watermark");
  static final TableName ROUTE = new TableName("public", "tidemark_route");

  static final List<InternalTable> ALL =
      List.of(
          new InternalTable(
              WATERMARK,
              """
                pipeline text not null,
                partition integer not null,
                generation integer not null,
                history text not null,
                lsn pg_lsn not null,
                log_offset bigint not null,
                epoch bigint not null,
                events bigint not null,
                lag_ms bigint,
                commit_time timestamp with time zone,
                updated_at timestamp with time zone not null,
                reported_at timestamp with time zone not null,
                stopped text,
                stopped_key text,
                quarantined bigint not null default 0,
                snapshot_rows bigint not null default 0,
                primary key (pipeline, partition)""",
              List.of(
                  new Added("stopped_key", "text"),
                  new Added("quarantined", "bigint not null default 0"),
                  new Added("snapshot_rows", "bigint not null default 0")),
              false,
              Map.of(Roles.PROJECTOR, Grants.WRITE, Roles.GATEWAY, Grants.READ),
              "how far each partition is; lsn is 0/0 until the generation's snapshot is complete"),
          new InternalTable(
              new TableName("public", "tidemark_tenant"),
              """
                pipeline text not null,
                partition integer not null,
                tenant_id text not null,
                primary key (pipeline, partition, tenant_id)""",
              List.of(),
              false,
              Map.of(Roles.PROJECTOR, Grants.WRITE),
              "the tenants that have rows in a partition"),
          new InternalTable(
              ROUTE,
              """
                pipeline text not null,
                target text not null,
                partition integer not null,
                fingerprint text not null,
                generation integer not null,
                primary key (pipeline, target, partition)""",
              List.of(),
              false,
              Map.of(Roles.PROJECTOR, Grants.WRITE, Roles.GATEWAY, Grants.READ),
              "which replica tables are complete, and for which form of their route"),
          new InternalTable(
              new TableName("public", "tidemark_quarantine"),
              """
                pipeline text not null,
                target text not null,
                partition integer not null,
                tenant_id text not null,
                key text[] not null,
                reason text not null,
                operation text not null,
                change text not null,
                source_lsn pg_lsn not null,
                log_offset bigint not null,
                generation integer not null,
                quarantined_at timestamp with time zone not null default now(),
                primary key (pipeline, target, tenant_id, key)""",
              List.of(),
              true,
              Map.of(Roles.PROJECTOR, Grants.WRITE, Roles.GATEWAY, Grants.READ),
              "changes that could not be written, by the key of their row"));

  Statement create() {
    return new Statement("create table %s (\n%s\n)".formatted(name.sql(), body), reason);
  }

  /** Brings a table of an earlier version up to date. */
  List<Statement> upgrade(TableInfo existing) {
    return added.stream()
        .filter(column -> existing.column(column.name()).isEmpty())
        .map(
            column ->
                new Statement(
                    "alter table %s add column %s %s"
                        .formatted(name.sql(), Sql.identifier(column.name()), column.definition()),
                    "a column of this version"))
        .toList();
  }

  /** The rows that the projector's compare-and-set updates. */
  static Statement watermarkRows(String pipeline, int partitions) {
    return new Statement(
        """
        insert into %s (pipeline, partition, generation, history, lsn, log_offset, epoch, events, updated_at, reported_at)
          select %s, p, 0, '', '0/0', -1, 0, 0, now(), now() from generate_series(0, %d) p
          on conflict do nothing"""
            .formatted(WATERMARK.sql(), Sql.literal(pipeline), partitions - 1),
        "one row a partition; generation 0 has no history yet");
  }

  /** Says that a replica table is not complete any more. */
  static Statement incomplete(String pipeline, String target, String reason) {
    return new Statement(
        "delete from %s where pipeline = %s and target = %s"
            .formatted(ROUTE.sql(), Sql.literal(pipeline), Sql.literal(target)),
        reason);
  }
}
