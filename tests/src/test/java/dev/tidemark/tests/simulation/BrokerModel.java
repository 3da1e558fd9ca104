package dev.tidemark.tests.simulation;

import dev.tidemark.capture.state.PipelineState;
import dev.tidemark.topics.log.LogRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The log topic, and the offsets topic with a key for each run. */
final class BrokerModel {

  private final Mutant mutant;
  private final List<List<LogRecord>> log;
  private final Map<Integer, PipelineState> states = new LinkedHashMap<>();

  BrokerModel(Mutant mutant) {
    this.mutant = mutant;
    this.log =
        IntStream.range(0, SourceModel.PARTITIONS)
            .<List<LogRecord>>mapToObj(partition -> new ArrayList<>())
            .toList();
  }

  List<LogRecord> log(int partition) {
    return log.get(partition);
  }

  void store(PipelineState state) {
    states.remove(state.run());
    states.put(state.run(), state);
  }

  Optional<PipelineState> remembered() {
    Optional<PipelineState> furthest = PipelineState.furthest(states.values());
    return mutant == Mutant.LAST_WRITTEN_OFFSET
        ? furthest.map(state -> List.copyOf(states.values()).getLast().inRun(state.run()))
        : furthest;
  }

  void forgetRunsBefore(int run) {
    states.keySet().removeIf(other -> other < run);
  }
}
