package dev.tidemark.projector.replica;

import dev.tidemark.projector.row.ReplicaTable;
import dev.tidemark.projector.row.RowKey;
import dev.tidemark.projector.row.RowOperation;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.route.Route;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One partition of the replica, as the projector that has taken it over sees it: rows and
 * watermark, which change together, one transaction at a time. Every method throws {@link
 * SQLException} as the database gives it. Not thread-safe.
 */
public interface Replica {

  /** Stands for the position of a transaction whose last part has not come. */
  Lsn PENDING = new Lsn(-1);

  /**
   * A point of the open transaction.
   *
   * @param quarantined how many changes were set aside then
   */
  record Point(Savepoint savepoint, long quarantined) {}

  /** The replica tables by target. */
  Map<String, ReplicaTable> tables();

  /** The watermark as it was last committed. */
  Watermark watermark();

  /** Executes the operation in the open transaction. */
  void execute(RowOperation operation, Lsn lsn, int generation) throws SQLException;

  /** Gives the rows that were written at {@link #PENDING} their transaction's position. */
  void settle(Lsn commitLsn) throws SQLException;

  /** Sends what is batched, so that what cannot be written shows. */
  void flush() throws SQLException;

  /** A point of the open transaction to go back to. */
  Point savepoint() throws SQLException;

  /** Goes back to the point. */
  void undo(Point point) throws SQLException;

  /** Forgets the point, and keeps what came after it. */
  void release(Point point) throws SQLException;

  /** Removes the row, if it is there, and what is set aside for its key. */
  void remove(RowKey key) throws SQLException;

  /** Sets a change aside. */
  void quarantine(Quarantined change) throws SQLException;

  /**
   * Removes what older generations left, and says that these routes' tables are complete, and no
   * others.
   *
   * @param routes those that the snapshot was read for; the tables of others lack its rows
   */
  void completeGeneration(Iterable<Route> routes, int generation) throws SQLException;

  /**
   * Commits the rows and the watermark together, and notifies whoever listens.
   *
   * @param next the watermark from here on, with the offset of the last record that is in the rows
   * @param events how many row changes came with it
   * @param sourceTime when the source committed the last of them; null when it is not known
   * @throws FencedException when another projector has taken the partition over
   */
  void commit(Watermark next, long events, @Nullable Instant sourceTime) throws SQLException;

  /** Undoes the open transaction. */
  void rollback() throws SQLException;

  /** Says that this projector is alive, and why it stands still if it does. */
  void report(@Nullable Stop stop) throws SQLException;

  /** Says that this projector is alive, while its transaction is open. */
  void reportAside() throws SQLException;

  /** How many deletes found no row since the partition was taken over. */
  long missedDeletes();
}
