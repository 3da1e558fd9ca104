package dev.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.standalone.data.Secrets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EmbeddedServersTest {

  @TempDir private Path data = Path.of("");

  @ParameterizedTest
  @EnumSource
  void databasesAreThereInEitherLayoutAndALaterStartFindsIt(Layout layout) throws Exception {
    Secrets secrets = Secrets.loadOrCreate(data, Services.ROLES);
    try (CloseStack started = new CloseStack()) {
      EmbeddedServers.start(data, config(Optional.of(layout)), secrets, started);
    }
    try (CloseStack started = new CloseStack()) {
      EmbeddedServers servers =
          EmbeddedServers.start(data, config(Optional.empty()), secrets, started);
      assertThat(servers.clusters()).hasSize(layout == Layout.ONE_CLUSTER ? 1 : 2);
      DriverManager.getConnection(servers.source().superuserJdbcUrl("source")).close();
      DriverManager.getConnection(servers.replica().superuserJdbcUrl("replica")).close();
    }
  }

  @Test
  void otherLayoutThanThatOfTheDataIsRefused() throws Exception {
    Files.createDirectories(data.resolve("postgres/shared"));
    assertThatExceptionOfType(InstallationException.class)
        .isThrownBy(
            () -> ClusterFolders.choose(data.resolve("postgres"), Optional.of(Layout.TWO_CLUSTERS)))
        .withMessageContaining("has the layout one-cluster, not two-clusters");
  }

  private static StandaloneConfig config(Optional<Layout> layout) {
    return new StandaloneConfig(0, Optional.empty(), OptionalInt.empty(), layout);
  }
}
