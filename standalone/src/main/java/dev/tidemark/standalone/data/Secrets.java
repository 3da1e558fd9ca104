package dev.tidemark.standalone.data;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeMap;

/**
 * The passwords of an installation's database roles: random, made at the first start, kept in
 * {@code secrets.json} with mode 600. They are URL-safe, since JDBC URLs carry them.
 */
public final class Secrets {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PASSWORD_BYTES = 24;

  private final Map<String, String> passwords;

  private Secrets(Map<String, String> passwords) {
    this.passwords = passwords;
  }

  /**
   * Reads the passwords of a data folder; makes and stores those of roles that have none yet.
   *
   * @param roles the database roles that need a password
   */
  public static Secrets loadOrCreate(Path folder, SequencedSet<String> roles) throws IOException {
    Path file = DataFolder.secretsFile(folder);
    Map<String, String> passwords =
        Files.exists(file)
            ? JSON.readValue(
                Files.readString(file), new TypeReference<TreeMap<String, String>>() {})
            : new TreeMap<>();
    SecureRandom random = new SecureRandom();
    boolean added = false;
    for (String role : roles) {
      added |= passwords.putIfAbsent(role, password(random)) == null;
    }
    if (added) {
      PrivateFiles.write(
          file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(passwords) + "\n");
    }
    return new Secrets(passwords);
  }

  private static String password(SecureRandom random) {
    byte[] bytes = new byte[PASSWORD_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
   * The password of a role.
   *
   * @throws IllegalArgumentException for a role that was not named when these were loaded
   */
  public String password(String role) {
    String password = passwords.get(role);
    if (password == null) {
      throw new IllegalArgumentException(
          "role " + role + " has no password; known: " + passwords.keySet());
    }
    return password;
  }

  /** Names the roles, never the passwords. */
  @Override
  public String toString() {
    return "Secrets" + passwords.keySet();
  }
}
