package dev.tidemark.standalone.data;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Where a running installation can be reached: the content of {@code endpoints.json}, which stands
 * in the data folder while the installation is ready. Holds the superuser's password, so the file
 * has mode 600.
 *
 * @param gateway base URL of HTTP, without a slash at its end
 * @param sourceJdbcUrl of the source database, with user and password
 * @param replicaJdbcUrl of the replica database, with user and password
 * @param kafkaBootstrap {@code host:port} of the broker
 * @param pid the installation's process
 */
public record Endpoints(
    String gateway, String sourceJdbcUrl, String replicaJdbcUrl, String kafkaBootstrap, long pid) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Writes {@code endpoints.json} into the data folder, as a whole. */
  public void write(Path folder) throws IOException {
    PrivateFiles.write(
        DataFolder.endpointsFile(folder),
        JSON.writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n");
  }

  /**
   * Reads {@code endpoints.json} of a data folder.
   *
   * @throws InstallationException when there is none, that is, when nothing runs there
   */
  public static Endpoints read(Path folder) throws IOException {
    Path file = DataFolder.endpointsFile(folder);
    try {
      return JSON.readValue(Files.readString(file), Endpoints.class);
    } catch (NoSuchFileException e) {
      throw new InstallationException(
          "nothing runs on the data folder "
              + folder.toAbsolutePath().normalize()
              + " (no endpoints.json): start it with ./tidemark up --data DIR, or name its folder"
              + " with --data",
          e);
    }
  }

  /** Removes {@code endpoints.json}: the installation is not, or no longer, ready. */
  public static void delete(Path folder) throws IOException {
    Files.deleteIfExists(DataFolder.endpointsFile(folder));
  }
}
