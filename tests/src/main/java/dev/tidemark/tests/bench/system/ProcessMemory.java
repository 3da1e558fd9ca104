package dev.tidemark.tests.bench.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Resident memory of processes, as Linux tells it (proc(5), {@code status}), in megabytes. */
public final class ProcessMemory {

  private ProcessMemory() {}

  /** What a process has resident now. */
  public static double megabytes(long pid) throws IOException {
    return field(pid, "VmRSS:");
  }

  /** The most that it has had resident. */
  public static double peakMegabytes(long pid) throws IOException {
    return field(pid, "VmHWM:");
  }

  private static double field(long pid, String name) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1e3)
        .findFirst()
        .orElseThrow(() -> new BenchException("process " + pid + " has ended"));
  }
}
