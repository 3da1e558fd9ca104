package dev.tidemark.standalone.command;

import java.nio.file.Path;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Chooses where logs go. Must be called before the first logger is made, so nothing on the way here
 * may have one.
 */
final class Logs {

  private Logs() {}

  /** To {@code tidemark.log} in the folder; warnings to the standard error stream as well. */
  static void toFolder(Path folder) {
    System.setProperty("tidemark.log.file", folder.resolve("tidemark.log").toString());
    configure("logback-installation.xml");
  }

  /** To the standard error stream, where whatever runs a service collects them. */
  static void toConsole() {
    configure("logback-role.xml");
  }

  private static void configure(String resource) {
    System.setProperty("logback.configurationFile", resource);
    // Spring Boot would set up logging anew, by its own rules.
    System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }
}
