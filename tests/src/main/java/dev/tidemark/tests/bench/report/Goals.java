package dev.tidemark.tests.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What Tidemark wants to reach, and whether the results show it. */
public final class Goals {

  private static final String TIDEMARK = "tidemark";
  private static final String DEBEZIUM = "debezium";
  private static final String SINK = "jdbc-sink";
  private static final String LOOP = "seed-loop";
  private static final String AT_100 = ", 100 writes/s";

  private record Figure(String workload, String metric, String system) {}

  /**
   * One goal: a figure of Tidemark's, perhaps as a multiple of somebody else's, at most or at least
   * a limit.
   */
  private record Goal(
      String text, Figure figure, Optional<Figure> against, boolean atMost, double limit) {}

  private static final List<Goal> GOALS =
      List.of(
          atMost("commit to visible, 100 writes/s: p50, ms", "latency", "p50" + AT_100, 4),
          atMost("commit to visible, 100 writes/s: p99, ms", "latency", "p99" + AT_100, 15),
          ratio("p50 against the JDBC sink's", "latency", "p50" + AT_100, SINK, true, 0.1),
          ratio("p50 against the peeking loop's", "latency", "p50" + AT_100, LOOP, true, 0.1),
          atMost(
              "quiet tenant beside 5,000 rows/s of another: p99, ms",
              "isolation",
              "p99 beside 5,000 rows/s",
              100),
          atMost(
              "quiet tenant beside 500,000 rows at once: p99, ms",
              "isolation",
              "p99 beside 500000 rows at once",
              100),
          ratio(
              "drain, transactions of 100 rows, against bare Debezium",
              "drain",
              "transactions of 100 rows",
              DEBEZIUM,
              false,
              0.5),
          ratio(
              "drain, transactions of 100 rows, against the JDBC sink",
              "drain",
              "transactions of 100 rows",
              SINK,
              false,
              3),
          ratio(
              "drain, single-row transactions, against bare Debezium",
              "drain",
              "single-row transactions",
              DEBEZIUM,
              false,
              0.4),
          ratio("snapshot against bare Debezium", "snapshot", "rows", DEBEZIUM, false, 0.7),
          new Goal(
              "CPU of a gated read against an ungated one <= 1.1 x",
              new Figure("gateway", "CPU, gated reads", TIDEMARK),
              Optional.of(new Figure("gateway", "CPU, ungated reads", TIDEMARK)),
              true,
              1.1),
          new Goal(
              "gated reads/s >= 8,000",
              new Figure("gateway", "gated reads", TIDEMARK),
              Optional.empty(),
              false,
              8_000),
          atMost("p99 of gated reads, ms", "gateway", "p99, gated reads", 10),
          atMost("restart: ready to in sync, ms", "restart", "ready to in sync", 1_000),
          atMost("idle, one cluster: MB WAL a day", "idle", "WAL", 10),
          atMost("idle, one cluster: % of a core", "idle", "CPU", 2),
          atMost("each role alone, MB of heap", "memory", "heap of each role", 256));

  private Goals() {}

  private static Goal atMost(String text, String workload, String metric, double limit) {
    return new Goal(
        text + " <= " + ResultTable.number(limit),
        new Figure(workload, metric, TIDEMARK),
        Optional.empty(),
        true,
        limit);
  }

  private static Goal ratio(
      String text, String workload, String metric, String other, boolean atMost, double limit) {
    return new Goal(
        text + (atMost ? " <= " : " >= ") + ResultTable.number(limit) + " x",
        new Figure(workload, metric, TIDEMARK),
        Optional.of(new Figure(workload, metric, other)),
        atMost,
        limit);
  }

  /** A Markdown table of the goals that these results tell something about; else empty. */
  public static List<String> lines(List<Result> results) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("goal", "", "measured"));
    for (Goal goal : GOALS) {
      OptionalDouble measured = measured(goal, results);
      if (measured.isPresent()) {
        double value = measured.getAsDouble();
        boolean reached = goal.atMost() ? value <= goal.limit() : value >= goal.limit();
        rows.add(
            List.of(goal.text(), reached ? "reached" : "not reached", ResultTable.number(value)));
      }
    }
    return rows.size() == 1 ? List.of() : ResultTable.layOut(rows, 2);
  }

  private static OptionalDouble measured(Goal goal, List<Result> results) {
    OptionalDouble figure = value(goal.figure(), results);
    if (goal.against().isEmpty() || figure.isEmpty()) {
      return figure;
    }
    OptionalDouble other = value(goal.against().get(), results);
    return other.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(figure.getAsDouble() / other.getAsDouble());
  }

  private static OptionalDouble value(Figure figure, List<Result> results) {
    return results.stream()
        .filter(
            result ->
                result.workload().equals(figure.workload())
                    && result.metric().equals(figure.metric())
                    && result.system().equals(figure.system()))
        .mapToDouble(Result::value)
        .findFirst();
  }
}
