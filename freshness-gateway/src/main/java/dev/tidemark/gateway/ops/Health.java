package dev.tidemark.gateway.ops;

import dev.tidemark.gateway.RoleReport;
import dev.tidemark.gateway.db.Database;
import dev.tidemark.gateway.db.IsolationCheck;
import dev.tidemark.gateway.db.SqlFailures;
import dev.tidemark.gateway.sync.PartitionState;
import dev.tidemark.gateway.sync.Watermarks;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How this gateway and its pipeline are. Answers are kept for a second, and the check of isolation
 * for ten, since anybody may ask. Thread-safe.
 */
public final class Health {

  private static final Logger LOG = LoggerFactory.getLogger(Health.class);
  private static final long ISOLATION_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long ANSWER_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int PROBE_SECONDS = 3;

  private final Database source;
  private final Database replica;
  private final Watermarks watermarks;
  private final IsolationCheck isolation;
  private final int partitions;
  private final List<RoleReport> reports;
  private long isolationAt = System.nanoTime();
  private RoleReport.State isolationState = RoleReport.State.working();
  private long answerAt = System.nanoTime() - ANSWER_NANOS;
  private Map<String, RoleReport.State> answer = Map.of();

  /** A health whose check of isolation has just passed. */
  public Health(
      Database source,
      Database replica,
      Watermarks watermarks,
      IsolationCheck isolation,
      int partitions,
      List<RoleReport> reports) {
    this.source = source;
    this.replica = replica;
    this.watermarks = watermarks;
    this.isolation = isolation;
    this.partitions = partitions;
    this.reports = List.copyOf(reports);
  }

  /** Every component by its name. */
  public synchronized Map<String, RoleReport.State> components() {
    if (System.nanoTime() - answerAt >= ANSWER_NANOS) {
      Map<String, RoleReport.State> states = new LinkedHashMap<>();
      states.put("source", database(source));
      states.put("replica", database(replica));
      states.put("isolation", isolation());
      states.put("watermark", watermark());
      for (RoleReport report : reports) {
        states.put(report.role(), report(report));
      }
      answer = states;
      answerAt = System.nanoTime();
    }
    return new LinkedHashMap<>(answer);
  }

  /**
   * What reads need: the replica, with tenants kept apart. The source is left out, because replica
   * reads go on without it.
   */
  public Map<String, RoleReport.State> readiness() {
    Map<String, RoleReport.State> states = components();
    states.keySet().retainAll(List.of("replica", "isolation"));
    return states;
  }

  private static RoleReport.State database(Database database) {
    try {
      return database.call((Connection connection) -> connection.isValid(PROBE_SECONDS))
          ? RoleReport.State.working()
          : RoleReport.State.failed("does not answer");
    } catch (SQLException e) {
      return unreachable(e);
    }
  }

  private RoleReport.State isolation() {
    if (System.nanoTime() - isolationAt >= ISOLATION_NANOS) {
      try {
        List<String> violations = isolation.violations();
        isolationState =
            violations.isEmpty()
                ? RoleReport.State.working()
                : RoleReport.State.failed(String.join("; ", violations));
        isolationAt = System.nanoTime();
      } catch (SQLException e) {
        // Not checked is not broken: the databases' own components say that they do not answer.
        LOG.atDebug().addKeyValue("sqlState", SqlFailures.state(e)).log("isolation not checked");
      }
    }
    return isolationState;
  }

  private RoleReport.State watermark() {
    try {
      List<PartitionState> states = watermarks.read();
      if (states.size() != partitions) {
        return RoleReport.State.failed(
            "tidemark_watermark has "
                + states.size()
                + " partitions, the route file "
                + partitions
                + "; run the replica plan");
      }
      List<Integer> stopped =
          states.stream()
              .filter(state -> state.stopped() != null)
              .map(PartitionState::partition)
              .toList();
      return stopped.isEmpty()
          ? RoleReport.State.working()
          : RoleReport.State.failed(
              "stopped partitions: " + stopped + "; /api/sync/status says why");
    } catch (SQLException e) {
      return unreachable(e);
    }
  }

  private static RoleReport.State report(RoleReport report) {
    try {
      return report.state().get();
    } catch (RuntimeException e) {
      LOG.atWarn().addKeyValue("role", report.role()).setCause(e).log("a health report failed");
      return RoleReport.State.failed("its report failed");
    }
  }

  private static RoleReport.State unreachable(SQLException e) {
    return RoleReport.State.failed("can't be used, SQLSTATE " + SqlFailures.state(e));
  }
}
