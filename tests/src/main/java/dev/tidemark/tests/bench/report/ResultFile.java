package dev.tidemark.tests.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The machine-readable results: {@code {"machine": {...}, "results": [{"workload", "system",
 * "metric", "unit", "value", "rounds"}, ...]}}.
 */
public final class ResultFile {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private ResultFile() {}

  /** Writes them, over what was in the file. */
  public static void write(Path file, Map<String, Object> machine, List<Result> results)
      throws IOException {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("machine", machine);
    all.put("results", results);
    Files.writeString(file, JSON.writeValueAsString(all) + "\n");
  }
}
