package dev.tidemark.standalone;

import dev.tidemark.standalone.data.InstallationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The folders of the clusters. Their names tell a later start which layout the data has.
 *
 * @param source of the cluster with the source database
 * @param replica of the cluster with the replica database; may be the same
 */
record ClusterFolders(Path source, Path replica) {

  /**
   * @param root the folder of both
   * @param wanted the layout that was asked for; absent: that of the data, or else the default
   * @throws InstallationException when the data has another layout than the one asked for
   */
  static ClusterFolders choose(Path root, Optional<Layout> wanted) {
    Path shared = root.resolve("shared");
    Path source = root.resolve("source");
    Optional<Layout> found =
        Files.exists(shared)
            ? Optional.of(Layout.ONE_CLUSTER)
            : Files.exists(source) ? Optional.of(Layout.TWO_CLUSTERS) : Optional.empty();
    if (wanted.isPresent() && found.isPresent() && !wanted.equals(found)) {
      throw new InstallationException(
          "the data in "
              + root
              + " has the layout "
              + found.get()
              + ", not "
              + wanted.get()
              + ": start it without --layout, or name a new folder with --data");
    }
    return switch (wanted.or(() -> found).orElse(Layout.TWO_CLUSTERS)) {
      case ONE_CLUSTER -> new ClusterFolders(shared, shared);
      case TWO_CLUSTERS -> new ClusterFolders(source, root.resolve("replica"));
    };
  }

  boolean areOne() {
    return source.equals(replica);
  }
}
