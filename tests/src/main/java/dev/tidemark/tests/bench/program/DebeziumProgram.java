package dev.tidemark.tests.bench.program;

import io.debezium.embedded.Connect;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * Debezium's embedded engine with a consumer that does nothing but count, and note names while it
 * is told to. Its argument is a file with the engine's properties. Commands: {@code start}, {@code
 * stop}, {@code count} and {@code names} (begin anew, and note names or not), {@code seen}, {@code
 * arrivals}.
 */
public final class DebeziumProgram {

  private static final String TOPIC_END = ".public.tidemark_doc";

  private final Properties settings;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().name("engine").factory());
  private final AtomicLong seen = new AtomicLong();
  private final Map<String, Long> arrivals = new ConcurrentHashMap<>();
  private volatile long lastMicros;
  private volatile boolean names = true;
  private volatile @Nullable String failure;
  private @Nullable DebeziumEngine<ChangeEvent<SourceRecord, SourceRecord>> engine;

  private DebeziumProgram(Properties settings) {
    this.settings = settings;
  }

  /** The entry of the JVM. */
  public static void main(String[] arguments) throws IOException {
    // Capture's jar would put classes of its own in the place of Debezium's.
    if (DebeziumProgram.class.getResource("/dev/tidemark/capture/Capture.class") != null) {
      throw new IllegalStateException("capture is on the class path of the bare Debezium");
    }
    Properties settings = new Properties();
    try (var file = Files.newBufferedReader(Path.of(arguments[0]))) {
      settings.load(file);
    }
    DebeziumProgram program = new DebeziumProgram(settings);
    new Commands().serve(program::obey);
    program.stop();
    System.exit(0);
  }

  private String obey(String line) throws IOException {
    switch (line) {
      case "start" -> start();
      case "stop" -> stop();
      case "count" -> reset(false);
      case "names" -> reset(true);
      case "seen" -> {
        String problem = failure;
        return problem == null ? seen.get() + " " + lastMicros : "failed " + problem;
      }
      case "arrivals" -> {
        StringBuilder all = new StringBuilder();
        arrivals.forEach(
            (name, micros) -> all.append(name).append('\t').append(micros).append(' '));
        return all.toString().strip();
      }
      default -> throw new IllegalArgumentException("unknown command " + line);
    }
    return "done";
  }

  private void reset(boolean noteNames) {
    names = noteNames;
    arrivals.clear();
    seen.set(0);
  }

  private void start() {
    DebeziumEngine<ChangeEvent<SourceRecord, SourceRecord>> started =
        DebeziumEngine.create(Connect.class)
            .using(settings)
            .notifying(
                (batch, committer) -> {
                  for (ChangeEvent<SourceRecord, SourceRecord> event : batch) {
                    take(event.value());
                    committer.markProcessed(event);
                  }
                  committer.markBatchFinished();
                })
            .using(
                (success, message, error) -> {
                  if (!success) {
                    failure = message + ": " + error;
                  }
                })
            .build();
    engine = started;
    thread.execute(started);
  }

  private void take(SourceRecord event) {
    if (!event.topic().endsWith(TOPIC_END)) {
      return;
    }
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    if (names && event.key() instanceof Struct key) {
      arrivals.put(key.getString("name"), micros);
    }
    lastMicros = micros;
    seen.incrementAndGet();
  }

  private void stop() throws IOException {
    DebeziumEngine<ChangeEvent<SourceRecord, SourceRecord>> running = engine;
    engine = null;
    if (running != null) {
      running.close();
    }
  }
}
