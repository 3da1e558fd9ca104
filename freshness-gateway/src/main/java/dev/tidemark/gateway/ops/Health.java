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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How this gateway and its pipeline are. Answers are kept for a second, and those on isolation for
 * ten. Thread-safe.
 */
public final class Health {

  private static final Duration KEEP = Duration.ofSeconds(1);
  private static final Duration KEEP_ISOLATION = Duration.ofSeconds(10);
  private static final int VALID_SECONDS = 3;

  private final List<Probe> all = new ArrayList<>();
  private final List<Probe> ready;

  public Health(
      Database source,
      Database replica,
      Watermarks watermarks,
      IsolationCheck isolation,
      int partitions,
      List<RoleReport> reports) {
    Probe replicaAnswers = new Probe("replica", KEEP, () -> database(replica));
    Probe replicaIsolated =
        new Probe("replicaIsolation", KEEP_ISOLATION, () -> isolated(isolation::replica));
    ready = List.of(replicaAnswers, replicaIsolated);
    all.add(new Probe("source", KEEP, () -> database(source)));
    all.add(new Probe("sourceIsolation", KEEP_ISOLATION, () -> isolated(isolation::source)));
    all.addAll(ready);
    all.add(new Probe("watermark", KEEP, () -> watermark(watermarks, partitions)));
    for (RoleReport report : reports) {
      all.add(new Probe(report.role(), KEEP, report.state()));
    }
  }

  /** Every component by its name. */
  public Map<String, RoleReport.State> components() {
    return ask(all);
  }

  /**
   * What reads need: the replica, with tenants kept apart. The source is left out, because replica
   * reads go on without it.
   */
  public Map<String, RoleReport.State> readiness() {
    return ask(ready);
  }

  private static Map<String, RoleReport.State> ask(List<Probe> probes) {
    // All are asked before the first is waited for, so that silent ones cost a second together.
    probes.forEach(Probe::ask);
    Map<String, RoleReport.State> states = new LinkedHashMap<>();
    for (Probe probe : probes) {
      states.put(probe.name(), probe.state());
    }
    return states;
  }

  private static RoleReport.State database(Database database) {
    try {
      return database.call((Connection connection) -> connection.isValid(VALID_SECONDS))
          ? RoleReport.State.working()
          : RoleReport.State.failed("does not answer");
    } catch (SQLException e) {
      return unreachable(e);
    }
  }

  /** Asks one database. */
  @FunctionalInterface
  private interface Check {
    List<String> violations() throws SQLException;
  }

  private static RoleReport.State isolated(Check check) {
    try {
      List<String> violations = check.violations();
      return violations.isEmpty()
          ? RoleReport.State.working()
          : RoleReport.State.failed(String.join("; ", violations));
    } catch (SQLException e) {
      return unreachable(e);
    }
  }

  private static RoleReport.State watermark(Watermarks watermarks, int partitions) {
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
      return judge(states);
    } catch (SQLException e) {
      return unreachable(e);
    }
  }

  /**
   * Up while every partition has a projector that reports, and none is stopped. The row that one is
   * stopped at is left out: nobody signs in for the health page.
   */
  static RoleReport.State judge(List<PartitionState> states) {
    List<String> problems = new ArrayList<>();
    List<String> stopped =
        states.stream()
            .filter(state -> state.stopped() != null)
            .map(state -> "partition " + state.partition() + " at " + state.stopped())
            .toList();
    if (!stopped.isEmpty()) {
      problems.add("stopped: " + String.join("; ", stopped));
    }
    List<String> silent =
        states.stream()
            .filter(state -> !state.reporting())
            .map(state -> Integer.toString(state.partition()))
            .toList();
    if (!silent.isEmpty()) {
      problems.add(
          "no projector has reported for "
              + Watermarks.REPORTING_SECONDS
              + " s on partition "
              + String.join(", ", silent)
              + ": is it started, is it paused, does it reach Kafka and the replica?");
    }
    return problems.isEmpty()
        ? RoleReport.State.working()
        : RoleReport.State.failed(String.join("; ", problems));
  }

  private static RoleReport.State unreachable(SQLException e) {
    return RoleReport.State.failed("can't be used, SQLSTATE " + SqlFailures.state(e));
  }
}
