package dev.tidemark.tests.bench.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChildrenTest {

  @Test
  void tidemarkIsMeasuredWithTheOptionsThatTheScriptGivesIt() throws IOException {
    String script = Files.readString(Path.of("..", "tidemark"));
    assertThat(script)
        .contains("up | demo) options+=(" + String.join(" ", Children.UP_OPTIONS) + ") ;;");
    String options = script.substring(script.indexOf("local options=("));
    assertThat(options.substring(0, options.indexOf(')'))).contains(Children.OPTIONS);
  }

  @Test
  void debeziumIsMeasuredWithoutTheClassesThatCapturePutsInThePlaceOfIts() throws IOException {
    List<String> all = entries(Children.classPathWithout());
    List<String> without = entries(Children.classPathWithout("capture-"));
    assertThat(all).anyMatch(ChildrenTest::isCapture);
    assertThat(without).noneMatch(ChildrenTest::isCapture);
    assertThat(without).anyMatch(entry -> entry.contains("debezium-connector-postgres"));
    assertThat(without)
        .containsExactlyElementsOf(all.stream().filter(entry -> !isCapture(entry)).toList());
  }

  private static List<String> entries(String classPath) {
    return List.of(classPath.split(File.pathSeparator));
  }

  private static boolean isCapture(String entry) {
    return entry.contains("capture-0")
        || entry.endsWith(Path.of("capture/target/classes").toString());
  }
}
