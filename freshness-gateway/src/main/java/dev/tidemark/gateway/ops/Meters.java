package dev.tidemark.gateway.ops;

import dev.tidemark.gateway.sync.PartitionState;
import dev.tidemark.gateway.sync.SourcePosition;
import dev.tidemark.gateway.sync.WatermarkBoard;
import dev.tidemark.gateway.sync.WatermarkStream;
import dev.tidemark.topics.Lsn;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.function.ToDoubleFunction;

/** The gauges. No label names a tenant, a document or a row. */
public final class Meters {

  private final WatermarkBoard board;
  private final SourcePosition position;

  public Meters(WatermarkBoard board, SourcePosition position) {
    this.board = board;
    this.position = position;
  }

  /** Registers the gauges. */
  public void register(MeterRegistry registry, WatermarkStream stream, int partitions) {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    Gauge.builder("tidemark.waits.parked", board, WatermarkBoard::waiting)
        .description("Reads that wait for a watermark now")
        .register(registry);
    Gauge.builder("tidemark.streams.open", stream, WatermarkStream::clients)
        .description("Event streams that are open now")
        .register(registry);
    Gauge.builder("tidemark.watermark.behind", this, Meters::bytesBehind)
        .description("From the slowest partition's watermark to the end of the source's log")
        .baseUnit("bytes")
        // The registry would hold this object weakly, and nobody else holds it.
        .strongReference(true)
        .register(registry);
    for (int partition = 0; partition < partitions; partition++) {
      String tag = Integer.toString(partition);
      gauge("lag", "From commit to visible, last transaction", tag, Meters::lag)
          .baseUnit("ms")
          .register(registry);
      gauge("events", "Changes applied", tag, PartitionState::events).register(registry);
      gauge("reporting", "1 while the projector reports", tag, s -> s.reporting() ? 1 : 0)
          .register(registry);
      gauge("quarantined", "Rows set aside", tag, PartitionState::quarantined).register(registry);
      gauge("stopped", "1 while stopped", tag, s -> s.stopped() == null ? 0 : 1).register(registry);
    }
  }

  private Gauge.Builder<WatermarkBoard> gauge(
      String name, String description, String partition, ToDoubleFunction<PartitionState> value) {
    return Gauge.builder(
            "tidemark.watermark." + name,
            board,
            seen ->
                seen.picture().states().stream()
                    .filter(state -> Integer.toString(state.partition()).equals(partition))
                    .findFirst()
                    .map(value::applyAsDouble)
                    .orElse(Double.NaN))
        .description(description)
        .tag("partition", partition);
  }

  private static double lag(PartitionState state) {
    Long lag = state.lagMs();
    return lag == null ? Double.NaN : lag;
  }

  private double bytesBehind() {
    try {
      Lsn slowest =
          board.picture().heard().stream().min(Comparator.naturalOrder()).orElse(Lsn.ZERO);
      return position.now().bytesSince(slowest);
    } catch (SQLException e) {
      return Double.NaN;
    }
  }
}
