package dev.tidemark.standalone.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.topics.yaml.Problem;
import dev.tidemark.topics.yaml.YamlException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every kind of problem, each alone, with the line that it is reported at. */
class RoleFileProblemsTest {

  /** Good for all roles; each problem below replaces one of its lines. */
  private static final List<String> GOOD =
      List.of(
          "routes: routes.yaml",
          "kafka:",
          "  bootstrap: broker:9092",
          "source:",
          "  jdbcUrl: jdbc:postgresql://source/app",
          "  capture: { password: topsecret }",
          "  gateway: { password: topsecret }",
          "replica:",
          "  jdbcUrl: jdbc:postgresql://replica/replica",
          "  projector: { password: topsecret }",
          "  gateway: { password: topsecret }",
          "projector:",
          "  stateFolder: state",
          "gateway:",
          "  issuer: https://login.example");

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void writeRoutes() throws IOException {
    Files.writeString(
        folder.resolve("routes.yaml"),
        """
        slot: s
        publication: p
        routes:
          - { doctype: D, target: t, columns: [ { name: a, from: a } ] }
        """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "1  | routez: routes.yaml                     | unknown key `routez`; did you mean `routes`?",
        "1  | routes: absent.yaml                     | the route file",
        "1  | routes: [a]                             | `routes` must be a text, but is a list",
        "2  | kafak:                                  | unknown key `kafak`; did you mean `kafka`?",
        "3  | ·bootstrap: broker                      | `bootstrap: broker` is not host:port",
        "3  | ·bootstrap: kafka://broker:9092         | is not host:port",
        "3  | ·bootstrap:                             | `bootstrap` is nothing; give it a value",
        "3  | ·{ bootstrap: a:1, replicationFactor: 0 } | is not a whole number from 1 to 32767",
        "3  | ·{ bootstrap: a:1, replicationfactor: 1 } | did you mean `replicationFactor`?",
        "5  | ·jdbcUrl: mysql://source/topsecret      | `jdbcUrl` must begin with jdbc:postgresql:",
        "5  | ·jdbcUrl: jdbc:postgresql://h/d?password=topsecret | holds a user or a password",
        "5  | ·jdbcUrl: jdbc:postgresql://h/d?a=b&user=topsecret | holds a user or a password",
        "5  | ·jdbcUrl: jdbc:postgresql://u:topsecret@h/d        | holds a user or a password",
        "5  | ·jdbcurl: jdbc:postgresql://h/d         | unknown key `jdbcurl`; did you mean `jdbcUrl`?",
        "6  | ·capture: { }                           | the password is missing; name where it is",
        "6  | ·capture: topsecret                     | `capture` must be a map, but is a text",
        "6  | ·capture: { password: [topsecret] }     | `password` must be a text, but is a list",
        "6  | ·capture: { password: }                 | `password` is nothing",
        "6  | ·capture: { pasword: topsecret }        | did you mean `password`?",
        "6  | ·capture: { password: a, passwordEnv: B } | `password` and `passwordEnv` both give the",
        "6  | ·capture: { passwordEnv: ABSENT }       | the environment variable ABSENT is not set",
        "6  | ·capture: { passwordEnv: EMPTY }        | the environment variable EMPTY is not set",
        "6  | ·capture: { passwordFile: absent }      | can't be read",
        "6  | ·capture: { passwordFile: empty }       | is empty",
        "6  | ·projector: { password: topsecret }     | `source` has the unknown key `projector`",
        "7  | ·gateway: { password: a, passwordEnv: B } | `password` and `passwordEnv` both give the",
        "11 | ·gateway: { user: }                     | `user` is nothing",
        "13 | ·stateFoldr: state                      | did you mean `stateFolder`?",
        "15 | ·issuer: login.example                  | is not a URL that begins with https://",
        "15 | ·jwkSetUri: ftp://login.example         | is not a URL that begins with https://",
        "15 | ·{ issuer: https://a.b, jwkSetFile: c } | `issuer` and `jwkSetFile` both say where",
        "15 | ·jwkSet: https://login.example          | unknown key `jwkSet`",
        "15 | ·port: 65536                            | `port: 65536` is not a whole number from 0",
        "15 | ·port: 80a                              | `port: 80a` is not a whole number from 0",
        "15 | ·poolSize: 0                            | is not a whole number from 1 to 200",
        "15 | ·maxDocumentBytes: 1                    | is not a whole number from 1024 to 268435456",
        "15 | ·maxWaitingReads: 15001                 | is not a whole number from 0 to 15000",
        "15 | ·requestsPerSecond: 0                   | is not a whole number from 1 to 1000000",
        "15 | ·opsPort: 65536                         | is not a whole number from 0 to 65535",
        "15 | ·allowedOrigins: https://care.example   | must be a list, but is a text",
        "15 | ·allowedOrigins: [ https://care.example/x ] | is no origin: write scheme, host and port",
        "15 | ·allowedOrigins: [ \"*\" ]                | is no origin: write scheme, host and port",
      })
  void problemHasItsLine(int line, String text, String said) throws IOException {
    Files.writeString(folder.resolve("empty"), "\n");
    List<String> lines = new ArrayList<>(GOOD);
    lines.set(line - 1, text.replace("·", "  "));
    assertThat(problems(Role.CAPTURE, String.join("\n", lines)))
        .anySatisfy(
            problem -> {
              assertThat(problem.line()).isEqualTo(line);
              assertThat(problem.message()).contains(said);
            })
        .noneSatisfy(problem -> assertThat(problem.message()).contains("topsecret"));
  }

  @ParameterizedTest
  @CsvSource({
    "CAPTURE, routes kafka source",
    "PROJECTOR, routes kafka replica projector",
    "GATEWAY, routes source replica gateway"
  })
  void roleNamesAllOfItsSectionsThatAreMissing(Role role, String keys) throws IOException {
    assertThat(problems(role, "instance: one"))
        .extracting(Problem::message)
        .containsExactly(
            Arrays.stream(keys.split(" "))
                .map(key -> "a configuration file lacks the key `" + key + "`")
                .toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({
    "CAPTURE, kafka, bootstrap",
    "CAPTURE, source, jdbcUrl capture",
    "PROJECTOR, replica, jdbcUrl projector",
    "PROJECTOR, projector, stateFolder",
    "GATEWAY, source, jdbcUrl gateway",
    "GATEWAY, replica, jdbcUrl gateway",
  })
  void roleNamesAllKeysThatASectionLacks(Role role, String section, String keys)
      throws IOException {
    assertThat(problems(role, "instance: one\n" + section + ": {}"))
        .filteredOn(problem -> problem.line() == 2)
        .extracting(Problem::message)
        .containsExactly(
            Arrays.stream(keys.split(" "))
                .map(key -> "`" + section + "` lacks the key `" + key + "`")
                .toArray(String[]::new));
  }

  @Test
  void gatewayNeedsTokenKeys() throws IOException {
    assertThat(problems(Role.GATEWAY, "gateway: { port: 1 }"))
        .extracting(Problem::toString)
        .contains(
            folder.resolve("tidemark.yaml")
                + ":1: nothing says where tokens' keys come from; give `issuer`, `jwkSetUri` or"
                + " `jwkSetFile`");
    assertThat(problems(Role.GATEWAY, "gateway: { jwkSetFile: absent }"))
        .extracting(Problem::message)
        .anyMatch(message -> message.startsWith("the key set ") && message.contains("read"));
  }

  @Test
  void opsPortIsAPortOfItsOwn() throws IOException {
    assertThat(problems(Role.GATEWAY, "gateway: { port: 81, opsPort: 81 }"))
        .extracting(Problem::message)
        .contains("`opsPort` and `port` are both 81; give health and metrics another port");
  }

  @Test
  void instanceIsAsKafkaAllowsIt() throws IOException {
    assertThat(problems(Role.CAPTURE, "instance: a b"))
        .extracting(Problem::message)
        .anyMatch(message -> message.startsWith("`a b` cannot be an instance's name"));
  }

  @ParameterizedTest
  @CsvSource({"'', the file is empty", "'a: [', not YAML", "'- a', must be a map"})
  void textThatIsNoMapHasOneProblem(String yaml, String said) throws IOException {
    assertThat(problems(Role.GATEWAY, yaml))
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains(said));
  }

  @Test
  void problemsOfTheRouteFileFollowThoseOfTheFile() throws IOException {
    Files.writeString(folder.resolve("routes.yaml"), "slot: s\nroutez: []\nroutes: []\n");
    List<Problem> problems = problems(Role.CAPTURE, "kafak: {}\nroutes: routes.yaml\n");
    assertThat(problems.getFirst().file()).endsWith("tidemark.yaml");
    assertThat(problems.getLast().file()).endsWith("routes.yaml");
    assertThat(problems)
        .extracting(Problem::message)
        .anyMatch(message -> message.contains("`kafak`"))
        .anyMatch(message -> message.contains("`routez`"));
  }

  private List<Problem> problems(Role role, String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("tidemark.yaml"), yaml);
    RoleFileParser parser = new RoleFileParser(file, Map.of("EMPTY", ""), "host", role);
    return catchThrowableOfType(YamlException.class, parser::parse).problems();
  }
}
