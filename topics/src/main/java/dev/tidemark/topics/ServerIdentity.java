package dev.tidemark.topics;

/**
 * Which log a position belongs to: after {@code initdb} the system identifier differs, after a
 * promotion the timeline.
 *
 * @param systemIdentifier as {@code pg_control_system()} prints it
 * @param timeline the timeline that the server writes
 * @param database the database's name: a slot belongs to one
 */
public record ServerIdentity(String systemIdentifier, int timeline, String database) {

  /** The parts in their order, as columns of a query on {@code pg_catalog.pg_control_system()}. */
  public static final String COLUMNS =
      "system_identifier::text, ('x' || left(pg_catalog.pg_walfile_name("
          + "pg_catalog.pg_current_wal_insert_lsn()), 8))::bit(32)::int,"
          + " pg_catalog.current_database()";

  /** The generation of this number on this server. */
  public Generation generation(int number) {
    return new Generation(number, Fingerprint.of(this + "/" + number));
  }
}
