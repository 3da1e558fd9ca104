package dev.tidemark.tests.bench.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** CPU time that Linux has counted for processes (proc(5), {@code stat}, in ticks of 10 ms). */
public final class ProcessCpu {

  private static final long TICK_NANOS = 10_000_000;

  private ProcessCpu() {}

  /** User and system time of one process so far, in nanoseconds; 0 when it has gone. */
  public static long nanos(long pid) {
    return ticks(pid, false) * TICK_NANOS;
  }

  /** The same of a process and all below it, also of those that have ended. */
  public static long treeNanos(long pid) {
    List<ProcessHandle> below =
        ProcessHandle.of(pid).map(process -> process.descendants().toList()).orElse(List.of());
    return TICK_NANOS
        * Stream.concat(Stream.of(pid), below.stream().map(ProcessHandle::pid))
            .mapToLong(each -> ticks(each, true))
            .sum();
  }

  /** The server of a cluster's data folder. */
  static long postmaster(Path data) throws IOException {
    return Long.parseLong(
        Objects.requireNonNull(
                Files.readAllLines(data.resolve("postmaster.pid")).getFirst(),
                "the file's first line is the process")
            .strip());
  }

  private static long ticks(long pid, boolean withEndedChildren) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      long sum = 0;
      for (int i = 11; i < (withEndedChildren ? 15 : 13); i++) {
        sum += Long.parseLong(fields[i]);
      }
      return sum;
    } catch (IOException e) {
      return 0;
    }
  }
}
