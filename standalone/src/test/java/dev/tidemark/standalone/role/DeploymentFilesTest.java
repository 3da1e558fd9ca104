package dev.tidemark.standalone.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * What can be known of {@code docker-compose.yml} and {@code k8s/} without a container engine: each
 * role gets from its manifest what it needs to read its configuration.
 */
class DeploymentFilesTest {

  private static final Path ROOT = Path.of("..");

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @EnumSource(Role.class)
  void composeServiceCanReadItsConfiguration(Role role) throws IOException {
    copy(ROOT.resolve("compose/tidemark.yaml"), "tidemark.yaml");
    copy(ROOT.resolve("examples/routes.yaml"), "routes.yaml");
    Files.writeString(folder.resolve("keys.json"), "{\"keys\":[]}");
    Object service = at(compose(), "services", role.key());
    assertThat(at(service, "command")).isEqualTo(command(role));
    Map<String, String> environment = new HashMap<>();
    map(at(service, "environment"))
        .forEach((name, value) -> environment.put((String) name, (String) value));
    assertReadable(role, environment);
  }

  @Test
  void composePublishesOnLoopbackOnly() throws IOException {
    List<Object> ports = new ArrayList<>();
    for (Object service : map(at(compose(), "services")).values()) {
      if (map(service).get("ports") instanceof List<?> published) {
        ports.addAll(published);
      }
    }
    assertThat(ports).hasSize(3).allMatch(port -> ((String) port).startsWith("127.0.0.1:"));
  }

  @ParameterizedTest
  @EnumSource(Role.class)
  void podCanReadItsConfiguration(Role role) throws IOException {
    for (Map.Entry<?, ?> file : map(at(kubernetes("config"), "data")).entrySet()) {
      Files.writeString(folder.resolve((String) file.getKey()), (String) file.getValue());
    }
    Object pod = at(kubernetes(role.key()), "spec", "template", "spec");
    Object container = ((List<?>) at(pod, "containers")).getFirst();
    assertThat(at(container, "args")).isEqualTo(command(role));
    Map<?, ?> secrets = map(at(kubernetes("secret"), "stringData"));
    assertThat(secrets.values()).allMatch(""::equals);
    Map<String, String> environment = new HashMap<>();
    for (Object entry : (List<?>) at(container, "env")) {
      environment.put((String) at(entry, "name"), "value");
      if (map(entry).get("valueFrom") instanceof Map<?, ?> from) {
        assertThat(secrets.containsKey(at(from, "secretKeyRef", "key"))).isTrue();
      }
    }
    assertReadable(role, environment);
  }

  /**
   * Probes ask a port that the gateway's configuration opens, and the service publishes another.
   */
  @Test
  void probesOfTheGatewayAskThePortOfHealthAndMetrics() throws IOException {
    Object configuration =
        new Load(LoadSettings.builder().build())
            .loadFromString((String) at(kubernetes("config"), "data", "tidemark.yaml"));
    Object container =
        ((List<?>) at(kubernetes("gateway"), "spec", "template", "spec", "containers")).getFirst();
    Map<Object, Object> ports = new HashMap<>();
    ((List<?>) at(container, "ports"))
        .forEach(port -> ports.put(at(port, "name"), at(port, "containerPort")));
    for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
      assertThat(ports.get(at(container, probe, "httpGet", "port")))
          .isEqualTo(at(configuration, "gateway", "opsPort"));
    }
    assertThat(ports.get("http")).isEqualTo(8080);
  }

  private static List<String> command(Role role) {
    return List.of(role.key(), "--config", "/etc/tidemark/tidemark.yaml");
  }

  private void assertReadable(Role role, Map<String, String> environment) {
    Path file = folder.resolve("tidemark.yaml");
    assertThat(new RoleFileParser(file, environment, "host", role).parse().routes().pipeline())
        .isEqualTo("care");
  }

  private void copy(Path file, String name) throws IOException {
    Files.copy(file, folder.resolve(name));
  }

  private static Object compose() throws IOException {
    return document(ROOT.resolve("docker-compose.yml"));
  }

  private static Object kubernetes(String name) throws IOException {
    return document(ROOT.resolve("k8s").resolve(name + ".yaml"));
  }

  /** The first document of a file. */
  private static Object document(Path file) throws IOException {
    return new Load(LoadSettings.builder().setLabel(file.toString()).build())
        .loadAllFromString(Files.readString(file))
        .iterator()
        .next();
  }

  private static Object at(Object value, String... path) {
    Object found = value;
    for (String key : path) {
      found = Objects.requireNonNull(map(found).get(key), key);
    }
    return found;
  }

  private static Map<?, ?> map(Object value) {
    assertThat(value).isInstanceOf(Map.class);
    return (Map<?, ?>) value;
  }
}
