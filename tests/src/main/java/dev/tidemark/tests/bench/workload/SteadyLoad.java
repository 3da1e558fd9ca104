package dev.tidemark.tests.bench.workload;

import dev.tidemark.tests.bench.system.BenchException;
import dev.tidemark.tests.bench.system.Contender;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * Documents that are written at a steady rate, each in a transaction of its own, whatever the
 * system does meanwhile.
 */
final class SteadyLoad {

  /** A commit waits for the disk, so one connection cannot write at any rate. */
  private static final int WRITES_PER_CONNECTION = 125;

  private static final String INSERT =
      "insert into tidemark_doc values (?, 'Waybill', ?, ?::jsonb, 1, now(), now())";

  private SteadyLoad() {}

  /**
   * Writes, and returns when the last write is committed.
   *
   * @param prefix of the documents' names
   * @param tenants whose documents are written, in turn
   * @param perSecond how many writes begin in a second
   * @return how many were written
   */
  static int write(
      Contender system, String prefix, List<String> tenants, int perSecond, Duration duration)
      throws InterruptedException {
    int writers = Math.ceilDiv(perSecond, WRITES_PER_CONNECTION);
    int writes = Math.toIntExact(perSecond * duration.toMillis() / 1000);
    long begin = System.nanoTime();
    List<Callable<Integer>> all = new ArrayList<>();
    for (int writer = 0; writer < writers; writer++) {
      int first = writer;
      all.add(
          () -> {
            try (Connection source = system.source();
                PreparedStatement insert = source.prepareStatement(INSERT)) {
              for (int i = first; i < writes; i += writers) {
                waitUntil(begin + i * 1_000_000_000L / perSecond);
                write(insert, tenants.get(i % tenants.size()), prefix + i, "Scanned " + i);
              }
            }
            return 0;
          });
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(writers)) {
      for (Future<Integer> each : threads.invokeAll(all)) {
        each.get();
      }
      return writes;
    } catch (ExecutionException e) {
      throw new BenchException("a write failed", e.getCause());
    }
  }

  private static void write(PreparedStatement insert, String tenant, String name, String status)
      throws SQLException {
    insert.setString(1, tenant);
    insert.setString(2, name);
    insert.setString(
        3,
        """
        {"order": "SO-77120", "ops_status": "%s", "current_hub": "HN-01", "receiver_name": "Lan", \
        "scan_log": ["in", "sorted", "out"]}"""
            .formatted(status));
    insert.executeUpdate();
  }

  private static void waitUntil(long nanos) {
    long left = nanos - System.nanoTime();
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = nanos - System.nanoTime();
    }
  }
}
