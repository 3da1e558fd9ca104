package dev.tidemark.tests.bench.program;

import dev.tidemark.standalone.kafka.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The broker that Tidemark embeds, in a process of its own. Its argument is the folder; the command
 * {@code address} answers where clients begin.
 */
public final class BrokerProgram {

  private BrokerProgram() {}

  /** The entry of the JVM. */
  public static void main(String[] arguments) throws IOException {
    Commands commands = new Commands();
    try (EmbeddedKafka kafka = EmbeddedKafka.start(Path.of(arguments[0]))) {
      commands.serve(
          command -> {
            if (!command.equals("address")) {
              throw new IllegalArgumentException("unknown command " + command);
            }
            return kafka.bootstrapServers();
          });
    }
  }
}
