package dev.tidemark.gateway.desk;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class DeskFileTest {

  static final List<String> NAMES = DeskFile.NAMES;

  /** Relative imports and references, in whatever quotes. */
  private static final Pattern REFERENCE =
      Pattern.compile("(?:from |import |src=|href=)[\"'](?!#)([^\"']+)[\"']");

  @Test
  void everyFileOfThePagesIsServed() throws Exception {
    URL page = Objects.requireNonNull(DeskFile.class.getResource(DeskFile.PAGE));
    try (Stream<Path> files = Files.list(Path.of(page.toURI()).getParent())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> !name.endsWith(".class"))
          .containsExactlyInAnyOrderElementsOf(NAMES);
    }
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  void refersToFilesOfItsOwnOnly(String name) {
    String text = new String(DeskFile.load(name).content(), StandardCharsets.UTF_8);
    Matcher reference = REFERENCE.matcher(text);
    while (reference.find()) {
      assertThat(reference.group(1).replaceFirst("^\\./", "")).isIn(NAMES);
    }
    assertThat(text.replace("http://www.w3.org/2000/svg", ""))
        .doesNotContain("http:")
        .doesNotContain("sourceMappingURL");
  }

  @Test
  void theTagFollowsTheContent() {
    assertThat(DeskFile.load("desk.js").etag())
        .matches("\"[0-9a-f]{24}\"")
        .isNotEqualTo(DeskFile.load("dom.js").etag());
  }

  @Test
  void modulesHaveTheTypeThatBrowsersDemand() {
    assertThat(DeskFile.load("tidemark.js").type()).isEqualTo("text/javascript;charset=UTF-8");
  }
}
