package dev.tidemark.tests.bench.workload;

/** Something that systems are made to do, and what is measured of it. */
public interface Workload {

  /** As {@code --only} takes it and the results name it. */
  String name();

  /** Measures all systems, one after the other. */
  void run(Context context) throws Exception;
}
