package dev.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tidemark.standalone.data.DataFolder;
import dev.tidemark.standalone.data.Endpoints;
import dev.tidemark.topics.route.RouteFileException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandaloneTest {

  @TempDir private Path data = Path.of("");

  @Test
  void endpointsStandInTheFolderWhileItRuns() throws Exception {
    Files.writeString(data.resolve("endpoints.json"), "left by a killed process");
    try (Standalone standalone =
        Standalone.start(DataFolder.lock(data), StandaloneConfig.onAnyPort())) {
      Endpoints endpoints = Endpoints.read(data);
      assertThat(endpoints).isEqualTo(standalone.endpoints());
      assertThat(endpoints.pid()).isEqualTo(ProcessHandle.current().pid());
      DriverManager.getConnection(endpoints.sourceJdbcUrl()).close();
      DriverManager.getConnection(endpoints.replicaJdbcUrl()).close();
    }
    assertThat(data.resolve("endpoints.json")).doesNotExist();
  }

  @Test
  void failedStartGivesTheFolderFree() throws Exception {
    Path routes = Files.writeString(data.resolve("routes.yaml"), "slot: s");
    assertThatExceptionOfType(RouteFileException.class)
        .isThrownBy(
            () ->
                Standalone.start(
                    DataFolder.lock(data),
                    new StandaloneConfig(
                        0, Optional.of(routes), OptionalInt.empty(), Optional.empty())));
    DataFolder.lock(data).close();
    assertThat(data.resolve("postgres")).doesNotExist();
  }
}
