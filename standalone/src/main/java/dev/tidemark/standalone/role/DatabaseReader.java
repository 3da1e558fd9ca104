package dev.tidemark.standalone.role;

import dev.tidemark.topics.yaml.YamlMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads {@code source} and {@code replica}: a URL, and how each role signs in there. Only the
 * password of the role that runs is looked for, so a process needs the secrets of no other role. No
 * message holds a URL, which may carry a password, or a password.
 */
final class DatabaseReader {

  private static final String URL_PREFIX = "jdbc:postgresql:";
  private static final Pattern CREDENTIALS =
      Pattern.compile("(?s).*([?&](user|password)=|//[^/?]*@).*");
  private static final List<String> PASSWORD_KEYS =
      List.of("password", "passwordFile", "passwordEnv");
  private static final List<String> LOGIN_KEYS =
      List.of("user", "password", "passwordFile", "passwordEnv");

  private final Values values;
  private final Map<String, String> environment;
  private final Role role;

  DatabaseReader(Values values, Map<String, String> environment, Role role) {
    this.values = values;
    this.environment = environment;
    this.role = role;
  }

  /**
   * Reads a database's section.
   *
   * @param users the roles that sign in to this database
   * @return how this role signs in; empty when it does not, or with a problem
   */
  Optional<Login> read(YamlMap file, String key, List<Role> users) {
    List<String> known = new ArrayList<>(List.of("jdbcUrl"));
    users.forEach(user -> known.add(user.key()));
    boolean needed = users.contains(role);
    Optional<YamlMap> section = values.section(file, key, known, needed);
    Optional<String> url = section.flatMap(map -> url(map, needed));
    Optional<Login> login = Optional.empty();
    for (Role user : users) {
      boolean own = user == role;
      Optional<YamlMap> map =
          section.flatMap(database -> values.section(database, user.key(), LOGIN_KEYS, own));
      Optional<String> name = map.map(entry -> entry.text("user").orElse(user.defaultUser()));
      Optional<String> password = map.flatMap(entry -> password(entry, own));
      if (url.isPresent() && name.isPresent() && password.isPresent()) {
        login = Optional.of(new Login(url.get(), name.get(), password.get()));
      }
    }
    return login;
  }

  private Optional<String> url(YamlMap map, boolean needed) {
    Optional<String> url = values.text(map, "jdbcUrl", needed);
    if (url.isEmpty()) {
      return url;
    }
    if (!url.get().startsWith(URL_PREFIX)) {
      values
          .problems()
          .at(
              map.at("jdbcUrl"),
              "`jdbcUrl` must begin with " + URL_PREFIX + "//host:port/database");
      return Optional.empty();
    }
    if (CREDENTIALS.matcher(url.get()).matches()) {
      values
          .problems()
          .at(
              map.at("jdbcUrl"),
              "`jdbcUrl` holds a user or a password; each role has its own: put them under"
                  + " `capture`, `projector` or `gateway` of this section");
      return Optional.empty();
    }
    return url;
  }

  /** The password when {@code own}; for another role only what can be seen in the file. */
  private Optional<String> password(YamlMap map, boolean own) {
    List<String> given = PASSWORD_KEYS.stream().filter(map::has).toList();
    if (given.size() > 1) {
      values
          .problems()
          .at(
              map.at(given.get(1)),
              "`%s` and `%s` both give the password; keep one"
                  .formatted(given.get(0), given.get(1)));
      return Optional.empty();
    }
    if (given.isEmpty()) {
      if (own) {
        values
            .problems()
            .at(
                map.node(),
                "the password is missing; name where it is with `passwordFile` or `passwordEnv`, or"
                    + " write it as `password`");
      }
      return Optional.empty();
    }
    Optional<String> text = map.text(given.getFirst());
    if (!own || text.isEmpty()) {
      return Optional.empty();
    }
    return switch (given.getFirst()) {
      case "passwordFile" -> values.path(map, "passwordFile", true).flatMap(p -> ofFile(map, p));
      case "passwordEnv" -> ofEnvironment(map, text.get());
      default -> text;
    };
  }

  /** Without the line break that editors put at the end. */
  private Optional<String> ofFile(YamlMap map, Path file) {
    try {
      String password = Files.readString(file).replaceFirst("\\R\\z", "");
      if (!password.isEmpty()) {
        return Optional.of(password);
      }
      values.problems().at(map.at("passwordFile"), "the password file " + file + " is empty");
    } catch (IOException e) {
      values
          .problems()
          .at(map.at("passwordFile"), "the password file " + file + " can't be read: " + e);
    }
    return Optional.empty();
  }

  private Optional<String> ofEnvironment(YamlMap map, String variable) {
    String password = environment.getOrDefault(variable, "");
    if (password.isEmpty()) {
      values
          .problems()
          .at(
              map.at("passwordEnv"),
              "the environment variable "
                  + variable
                  + " is not set, or empty; set it to the password");
      return Optional.empty();
    }
    return Optional.of(password);
  }
}
