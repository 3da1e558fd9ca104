package dev.tidemark.standalone.postgres;

import java.nio.file.Path;
import java.util.Map;

/**
 * What an embedded cluster is started with.
 *
 * @param folder of the cluster alone: its data, its port, its log
 * @param version major version, one of {@link PostgresBinaries#VERSIONS}
 * @param password of the superuser {@code postgres}, of URL-safe characters; it is set when the
 *     cluster is created and must stay the same
 * @param settings server settings beyond, and instead of, {@link EmbeddedPostgres}'s own
 */
public record PostgresConfig(
    Path folder, int version, String password, Map<String, String> settings) {

  public PostgresConfig {
    settings = Map.copyOf(settings);
    if (!PostgresBinaries.VERSIONS.contains(version)) {
      throw new IllegalArgumentException(
          "PostgreSQL " + version + " is not among " + PostgresBinaries.VERSIONS);
    }
    if (!password.matches("[A-Za-z0-9_-]{8,}")) {
      throw new IllegalArgumentException(
          "the superuser's password must be 8 or more of A-Z a-z 0-9 _ -, since URLs carry it");
    }
  }

  /** Without settings of the caller's. */
  public PostgresConfig(Path folder, int version, String password) {
    this(folder, version, password, Map.of());
  }

  /** Names no password. */
  @Override
  public String toString() {
    return "PostgresConfig[folder=" + folder + ", version=" + version + "]";
  }
}
