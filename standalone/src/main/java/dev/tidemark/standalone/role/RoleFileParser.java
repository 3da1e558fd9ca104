package dev.tidemark.standalone.role;

import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.RouteFileException;
import dev.tidemark.topics.route.RouteFileParser;
import dev.tidemark.topics.yaml.Problem;
import dev.tidemark.topics.yaml.Problems;
import dev.tidemark.topics.yaml.YamlException;
import dev.tidemark.topics.yaml.YamlMap;
import dev.tidemark.topics.yaml.YamlText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads a configuration file for one role. Every section is checked, whichever role runs; only what
 * this role needs must be there. Used once, by one thread.
 */
final class RoleFileParser {

  private static final List<String> KEYS =
      List.of("instance", "routes", "kafka", "source", "replica", "projector", "gateway");

  /** What Kafka allows in a group's instance id. */
  private static final Pattern INSTANCE = Pattern.compile("[A-Za-z0-9._-]{1,200}");

  private static final Pattern BROKERS =
      Pattern.compile("[^\\s,/]+:[0-9]{1,5}(,\\s*[^\\s,/]+:[0-9]{1,5})*");

  private final Path file;
  private final Map<String, String> environment;
  private final String hostName;
  private final Role role;
  private final Problems problems;
  private final Values values;
  private final List<Problem> routeProblems = new ArrayList<>();

  /**
   * @param environment where passwords may be
   * @param hostName the instance's name when the file has none
   */
  RoleFileParser(Path file, Map<String, String> environment, String hostName, Role role) {
    this.file = file;
    this.environment = environment;
    this.hostName = hostName;
    this.role = role;
    this.problems = new Problems(file.toString());
    this.values = new Values(Optional.ofNullable(file.getParent()).orElse(Path.of("")), problems);
  }

  /**
   * Reads it.
   *
   * @throws YamlException with all problems of the file, and then all of its route file
   * @throws InstallationException when the file can't be read
   */
  RoleSettings parse() {
    Optional<RoleSettings> settings =
        YamlText.compose(text(), "routes, and what the role needs", problems)
            .flatMap(node -> YamlMap.of(node, "a configuration file", problems))
            .flatMap(this::settings);
    List<Problem> all = new ArrayList<>(problems.sorted());
    all.addAll(routeProblems);
    if (!all.isEmpty()) {
      throw new YamlException(all);
    }
    return settings.orElseThrow(() -> new IllegalStateException("a file is read, or has problems"));
  }

  private String text() {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new InstallationException("the configuration file " + file + " can't be read: " + e, e);
    }
  }

  private Optional<RoleSettings> settings(YamlMap map) {
    map.knowing(KEYS);
    String instance = instance(map);
    Optional<RouteFile> routes =
        values.path(map, "routes", true).flatMap(path -> routes(map, path));
    Optional<KafkaSettings> kafka = kafka(map, role != Role.GATEWAY);
    DatabaseReader databases = new DatabaseReader(values, environment, role);
    Optional<Login> source = databases.read(map, "source", List.of(Role.CAPTURE, Role.GATEWAY));
    Optional<Login> replica = databases.read(map, "replica", List.of(Role.PROJECTOR, Role.GATEWAY));
    boolean isProjector = role == Role.PROJECTOR;
    Optional<Path> stateFolder =
        values
            .section(map, "projector", List.of("stateFolder"), isProjector)
            .flatMap(section -> values.path(section, "stateFolder", isProjector));
    Optional<HttpSettings> http = new GatewayReader(values).read(map, role == Role.GATEWAY);
    return routes.map(
        found -> new RoleSettings(instance, found, kafka, source, replica, stateFolder, http));
  }

  private String instance(YamlMap map) {
    Optional<String> instance = map.text("instance");
    instance
        .filter(name -> !INSTANCE.matcher(name).matches())
        .ifPresent(
            name ->
                problems.at(
                    map.at("instance"),
                    "`%s` cannot be an instance's name: use 1 to 200 letters, digits, dots, hyphens and underscores"
                        .formatted(name)));
    return instance.orElse(hostName);
  }

  private Optional<RouteFile> routes(YamlMap map, Path path) {
    try {
      return Optional.of(RouteFileParser.parse(path.toString(), Files.readString(path)));
    } catch (RouteFileException e) {
      routeProblems.addAll(e.problems());
    } catch (IOException e) {
      problems.at(map.at("routes"), "the route file " + path + " can't be read: " + e);
    }
    return Optional.empty();
  }

  private Optional<KafkaSettings> kafka(YamlMap file, boolean needed) {
    return values
        .section(file, "kafka", List.of("bootstrap", "replicationFactor"), needed)
        .flatMap(
            map -> {
              Optional<String> bootstrap = values.text(map, "bootstrap", needed);
              bootstrap
                  .filter(text -> !BROKERS.matcher(text).matches())
                  .ifPresent(
                      text ->
                          problems.at(
                              map.at("bootstrap"),
                              "`bootstrap: %s` is not host:port, or several with commas"
                                  .formatted(text)));
              int factor =
                  values.number(
                      map,
                      "replicationFactor",
                      1,
                      Short.MAX_VALUE,
                      KafkaSettings.DEFAULT_REPLICATION_FACTOR);
              return bootstrap.map(text -> new KafkaSettings(text, (short) factor));
            });
  }
}
