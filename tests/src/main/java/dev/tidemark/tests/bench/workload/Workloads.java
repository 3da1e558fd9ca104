package dev.tidemark.tests.bench.workload;

import java.util.Iterator;
import java.util.List;

/** All of them. */
public final class Workloads {

  private Workloads() {}

  /** In the order in which they run. */
  public static List<Workload> all() {
    return List.of(
        new Latency(),
        new Isolation(),
        new Drain(),
        new Snapshot(),
        new GatewayReads(),
        new Restart(),
        new Scaling(),
        new Idle(),
        new Memory());
  }

  /** Their names, for the command line's help. */
  public static final class Names implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
      return all().stream().map(Workload::name).iterator();
    }
  }
}
