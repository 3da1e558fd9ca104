package dev.tidemark.tests.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the results were measured on. */
public final class Machine {

  private Machine() {}

  /**
   * Processors, memory, operating system and Java of this machine.
   *
   * @param scale that the results were measured with
   */
  public static Map<String, Object> describe(String scale) {
    Map<String, Object> machine = new LinkedHashMap<>();
    machine.put("processors", Runtime.getRuntime().availableProcessors());
    machine.put("processor", field("/proc/cpuinfo", "model name"));
    machine.put("memory", field("/proc/meminfo", "MemTotal"));
    machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    machine.put("java", Runtime.version().toString());
    machine.put("scale", scale);
    machine.put("measured", Instant.now().toString());
    return machine;
  }

  private static String field(String file, String name) {
    try {
      return Files.readAllLines(Path.of(file)).stream()
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }
}
