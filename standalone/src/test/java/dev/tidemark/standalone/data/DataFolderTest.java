package dev.tidemark.standalone.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {

  @TempDir private Path temporary = Path.of("");

  @Test
  void lockedFolderIsRefusedUntilItIsClosed() throws Exception {
    Path folder = temporary.resolve("data");
    DataFolder first = DataFolder.lock(folder);
    assertThatExceptionOfType(InstallationException.class)
        .isThrownBy(() -> DataFolder.lock(folder))
        .withMessageContaining("is in use by process " + ProcessHandle.current().pid());
    first.close();
    DataFolder.lock(folder).close();
  }

  @Test
  void newFolderIsForItsOwnerAlone() throws Exception {
    Path folder = temporary.resolve("a/b");
    DataFolder.lock(folder).close();
    assertThat(mode(folder)).isEqualTo("rwx------");
  }

  @Test
  void endpointsAreReadAsTheyWereWritten() throws Exception {
    Endpoints endpoints =
        new Endpoints(
            "http://127.0.0.1:1", "jdbc:source", "jdbc:replica", "127.0.0.1:2", 9_999_999_999L);
    endpoints.write(temporary);
    assertThat(Endpoints.read(temporary)).isEqualTo(endpoints);
    assertThat(mode(temporary.resolve("endpoints.json"))).isEqualTo("rw-------");
    assertThat(temporary).isDirectoryNotContaining("glob:**.tmp");
    Endpoints.delete(temporary);
    assertThatExceptionOfType(InstallationException.class)
        .isThrownBy(() -> Endpoints.read(temporary))
        .withMessageContaining("nothing runs on the data folder");
  }

  @Test
  void passwordsStayAndNewRolesGetOne() throws Exception {
    Secrets first = Secrets.loadOrCreate(temporary, new LinkedHashSet<>(List.of("a")));
    Secrets second = Secrets.loadOrCreate(temporary, new LinkedHashSet<>(List.of("a", "b")));
    assertThat(second.password("a"))
        .isEqualTo(first.password("a"))
        .matches("[A-Za-z0-9_-]{32}")
        .isNotEqualTo(second.password("b"));
    assertThat(second).hasToString("Secrets[a, b]");
    assertThat(mode(temporary.resolve("secrets.json"))).isEqualTo("rw-------");
  }

  @Test
  void portIsRememberedWhileItIsFree() throws Exception {
    Path file = temporary.resolve("port");
    int port = Ports.remembered(file);
    assertThat(Ports.remembered(file)).isEqualTo(port);
    Files.writeString(file, "99999\n");
    assertThat(Ports.remembered(file)).isBetween(20_000, 32_000);
  }

  private static String mode(Path file) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
