package dev.tidemark.tests.prove.system;

import java.util.List;
import java.util.stream.Stream;

/** The tables and routes of the system under test. */
public final class Schema {

  /** The pipeline. */
  public static final String PIPELINE = "prove";

  /** Partitions of the log. */
  public static final int PARTITIONS = 4;

  /** The document type. */
  public static final String DOCTYPE = "Item";

  /** Replica table of the documents. */
  public static final String DOCUMENTS = "prove_doc";

  /** What a table is for. */
  public enum Kind {
    /** Pairs of rows, in two tables, that one transaction writes. */
    PAIR_LEFT("pair_left", "(tenant_id, id)", true),
    /** The other table of the pairs. */
    PAIR_RIGHT("pair_right", "(tenant_id, id)", true),
    /** Rows that change their tenant, which is no part of the key, and their key. */
    MOVER("mover", "(id)", true),
    /** Rows that swap their keys in one transaction. */
    SWAP("swap", "(tenant_id, id)", true),
    /** Rows that all tenants share. */
    SHARED("shared", "(id)", false),
    /** A table that is truncated now and then. */
    VOLATILE("volatile_rows", "(tenant_id, id)", true),
    /** Rows of transactions with 10,000 of them. */
    BULK("bulk", "(tenant_id, id)", true);

    private final String table;
    private final String key;
    private final boolean tenantBound;

    Kind(String table, String key, boolean tenantBound) {
      this.table = table;
      this.key = key;
      this.tenantBound = tenantBound;
    }

    /** The source table's name. */
    public String table() {
      return table;
    }

    /** The replica table's name. */
    public String target() {
      return "prove_" + table;
    }

    /** Whether its rows belong to a tenant each. */
    public boolean tenantBound() {
      return tenantBound;
    }

    String create() {
      return "create table "
          + table
          + " (tenant_id text not null, id text not null, grp text not null, version bigint not"
          + " null, owner text not null, note text not null, spare integer not null default 7,"
          + " primary key "
          + key
          + ")";
    }

    String route() {
      return "  - table: public."
          + table
          + "\n"
          + (tenantBound ? "    tenant: tenant_id\n" : "")
          + "    target: "
          + target()
          + "\n    columns: [ "
          + (key.contains("tenant_id") ? "" : "{ name: id, from: id }, ")
          + "{ name: grp, from: grp }, { name: version, from: version }, { name: owner, from: owner"
          + " }, { name: note, from: note } ]\n";
    }
  }

  /** A table without a route. */
  public static final String UNROUTED = "unrouted";

  /** Lets the gateway's new connections to the source commit without waiting for the disk. */
  public static final String ASYNCHRONOUS =
      "alter role tidemark_gateway in database source set synchronous_commit = off";

  /** Lets them wait again. */
  public static final String SYNCHRONOUS =
      "alter role tidemark_gateway in database source reset synchronous_commit";

  /** Who reads the replica over JDBC, bound by row-level security like everybody. */
  static final String READER = "prove_reader";

  private Schema() {}

  static String routes() {
    StringBuilder yaml =
        new StringBuilder(
            """
            pipeline: %1$s
            slot: %1$s
            publication: %1$s
            partitions: %2$d
            routes:
              - doctype: %3$s
                target: %4$s
                columns:
                  - { name: grp, from: grp }
                  - { name: version, from: version, type: bigint }
                  - { name: owner, from: owner }
                  - { name: note, from: note }
            """
                .formatted(PIPELINE, PARTITIONS, DOCTYPE, DOCUMENTS));
    for (Kind kind : Kind.values()) {
      yaml.append(kind.route());
    }
    return yaml.toString();
  }

  static String[] sourceSql() {
    return Stream.concat(
            Stream.of(Kind.values()).map(Kind::create),
            Stream.of("create table " + UNROUTED + " (id bigint primary key, note text)"))
        .toArray(String[]::new);
  }

  static String[] readerSql(String password) {
    return Stream.concat(
            Stream.of(
                "create role " + READER + " login password '" + password + "'",
                "grant select on tidemark_watermark, " + DOCUMENTS + " to " + READER),
            Stream.of(Kind.values())
                .map(kind -> "grant select on " + kind.target() + " to " + READER))
        .toArray(String[]::new);
  }

  /** Every replica table. */
  public static List<String> targets() {
    return Stream.concat(Stream.of(DOCUMENTS), Stream.of(Kind.values()).map(Kind::target)).toList();
  }
}
