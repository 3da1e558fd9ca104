package dev.tidemark.gateway.sync;

import dev.tidemark.gateway.json.JsonObjectWriter;
import dev.tidemark.topics.Lsn;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Where a pipeline stands.
 *
 * @param partitions all partitions
 * @param current the source's position; empty when the source can't be asked
 * @param slot the slot; empty when there is none, or the source can't be asked
 * @param routes all routes, in the order of the route file
 * @param eventsPerSecond changes applied a second, lately; empty when that is not known yet
 * @param paused whether the roles that this process can pause are paused, by name
 */
public record SyncStatus(
    List<PartitionState> partitions,
    Optional<Lsn> current,
    Optional<SlotState> slot,
    List<RouteState> routes,
    Optional<Double> eventsPerSecond,
    Map<String, Boolean> paused) {

  public SyncStatus {
    partitions = List.copyOf(partitions);
    routes = List.copyOf(routes);
    paused = Map.copyOf(paused);
  }

  /** The position that every partition has reached; {@link Lsn#ZERO} when there is none. */
  public Lsn replicated() {
    return partitions.stream().map(PartitionState::lsn).min(Lsn::compareTo).orElse(Lsn.ZERO);
  }

  /** Whether every partition's projector has reported lately. */
  public boolean workerReporting() {
    return !partitions.isEmpty() && partitions.stream().allMatch(PartitionState::reporting);
  }

  /** From commit to visible, in ms, of the transaction that was applied last. */
  public Optional<Long> lagMs() {
    return partitions.stream()
        .filter(state -> state.commitTime() != null && state.lagMs() != null)
        .max(Comparator.comparing(state -> Objects.requireNonNull(state.commitTime())))
        .map(PartitionState::lagMs);
  }

  /**
   * The answer of {@code /api/sync/status}, on one line.
   *
   * @param keys whether to name the rows that partitions are stopped at, whosever they are
   */
  public String json(boolean keys) {
    Optional<PartitionState> oldest =
        partitions.stream().min(Comparator.comparingInt(PartitionState::generation));
    return new JsonObjectWriter()
        .text("replicatedLsn", replicated())
        .text("currentLsn", current.orElse(null))
        .value("bytesBehind", current.map(lsn -> lsn.bytesSince(replicated())).orElse(null))
        .value("lagMs", lagMs().orElse(null))
        .value("eventsPerSecond", eventsPerSecond.orElse(null))
        .value("workerReporting", workerReporting())
        .value("generation", oldest.map(PartitionState::generation).orElse(0))
        .text("history", oldest.map(PartitionState::history).orElse(""))
        .text("leader", slot.map(SlotState::leader).orElse(null))
        .raw("snapshot", snapshot())
        .raw(
            "partitions",
            partitions.stream()
                .map(state -> json(state, keys))
                .collect(Collectors.joining(",", "[", "]")))
        .raw("slot", slot.map(SlotState::json).orElse("null"))
        .raw(
            "routes",
            routes.stream().map(RouteState::json).collect(Collectors.joining(",", "[", "]")))
        .raw("paused", pausedRoles())
        .json();
  }

  private String pausedRoles() {
    JsonObjectWriter json = new JsonObjectWriter();
    new TreeMap<>(paused).forEach(json::value);
    return json.json();
  }

  private String snapshot() {
    return new JsonObjectWriter()
        .value(
            "complete",
            !partitions.isEmpty()
                && partitions.stream().noneMatch(state -> state.lsn().equals(Lsn.ZERO)))
        .value("rows", partitions.stream().mapToLong(PartitionState::snapshotRows).sum())
        .json();
  }

  private static String json(PartitionState state, boolean keys) {
    return new JsonObjectWriter()
        .value("partition", state.partition())
        .text("lsn", state.lsn())
        .value("generation", state.generation())
        .value("lagMs", state.lagMs())
        .value("events", state.events())
        .text("updatedAt", state.updatedAt())
        .value("reporting", state.reporting())
        .text("stopped", keys ? state.stop() : state.stopped())
        .value("quarantined", state.quarantined())
        .json();
  }
}
