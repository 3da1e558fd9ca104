package dev.tidemark.tests.desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrowserProgramTest {

  @TempDir private Path folder;

  @Test
  void isTheOneOnThePath() throws IOException {
    Path program = program("chromium");

    assertThat(BrowserProgram.find(Map.of("PATH", "/nowhere::" + folder))).contains(program);
  }

  @Test
  void theVariableComesFirst() throws IOException {
    program("chromium");
    Path other = program("my-chrome");

    assertThat(
            BrowserProgram.find(
                Map.of("PATH", folder.toString(), BrowserProgram.VARIABLE, other.toString())))
        .contains(other);
  }

  @Test
  void aVariableThatNamesNoProgramIsAnErrorAndNotAReasonToLeaveTestsOut() {
    assertThatIllegalStateException()
        .isThrownBy(() -> BrowserProgram.find(Map.of(BrowserProgram.VARIABLE, folder + "/missing")))
        .withMessageContaining("missing")
        .withMessageContaining("apt-get install chromium");
  }

  private Path program(String name) throws IOException {
    Path program = Files.writeString(folder.resolve(name), "#!/bin/sh\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return program;
  }
}
