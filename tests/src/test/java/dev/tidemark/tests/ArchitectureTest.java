package dev.tidemark.tests;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.tidemark.topics.route.TableName;
import dev.tidemark.topics.schema.Sql;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Who may use what. Capture's package {@code io.debezium} is part of capture: a class there takes
 * the place of one of Debezium's.
 */
@AnalyzeClasses(
    packages = {"dev.tidemark"},
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String TOPICS = "dev.tidemark.topics..";
  private static final String CAPTURE = "dev.tidemark.capture..";
  private static final String PROJECTOR = "dev.tidemark.projector..";
  private static final String GATEWAY = "dev.tidemark.gateway..";
  private static final String STANDALONE = "dev.tidemark.standalone..";
  private static final String TESTS = "dev.tidemark.tests..";

  /** The benchmark's peers: Debezium and Connect without Tidemark, in processes of their own. */
  private static final String PEERS = "dev.tidemark.tests.bench.program";

  private static final String CLIENT = "dev.tidemark.client..";
  private static final String CLIENT_SPRING = "dev.tidemark.client.spring..";

  @ArchTest
  static final ArchRule TOPICS_STANDS_ALONE =
      noClasses()
          .that()
          .resideInAPackage(TOPICS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(CAPTURE, PROJECTOR, GATEWAY, STANDALONE)
          .because(
              "topics is what the services agree on: move what only one of them needs into that"
                  + " service, or hand it in as an argument");

  @ArchTest
  static final ArchRule CAPTURE_KNOWS_NO_OTHER_SERVICE = knowsNoOther(CAPTURE, PROJECTOR, GATEWAY);

  @ArchTest
  static final ArchRule PROJECTOR_KNOWS_NO_OTHER_SERVICE =
      knowsNoOther(PROJECTOR, CAPTURE, GATEWAY);

  @ArchTest
  static final ArchRule GATEWAY_KNOWS_NO_OTHER_SERVICE = knowsNoOther(GATEWAY, CAPTURE, PROJECTOR);

  @ArchTest
  static final ArchRule DEBEZIUM_ONLY_IN_CAPTURE =
      only(
          CAPTURE,
          "io.debezium..",
          "put what must know Debezium into capture, and hand on one of the types of"
              + " dev.tidemark.topics.log");

  @ArchTest
  static final ArchRule CONNECT_ONLY_IN_CAPTURE =
      only(
          CAPTURE,
          "org.apache.kafka.connect..",
          "Connect's schemas and structs end in capture's engine package: hand on one of the types"
              + " of dev.tidemark.topics.log");

  @ArchTest
  static final ArchRule STREAMS_ONLY_IN_PROJECTOR =
      only(
          PROJECTOR,
          "org.apache.kafka.streams..",
          "topologies belong to the projector: a service that reads a topic uses a plain consumer");

  @ArchTest
  static final ArchRule SPRING_ONLY_IN_GATEWAY =
      noClasses()
          .that()
          .resideOutsideOfPackages(GATEWAY, CLIENT_SPRING)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.springframework..")
          .because(
              "the gateway is started through dev.tidemark.gateway.Gateway and configured by"
                  + " GatewayConfig: widen those instead of using Spring elsewhere. What Spring"
                  + " Boot's users need of freshness-client belongs to freshness-client-spring");

  @ArchTest
  static final ArchRule CLIENT_STANDS_ALONE =
      classes()
          .that()
          .resideInAPackage(CLIENT)
          .and()
          .resideOutsideOfPackage(CLIENT_SPRING)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.tidemark.client",
              "dev.tidemark.client.jdbc",
              "dev.tidemark.client.servlet",
              "dev.tidemark.client.http",
              "java..",
              "javax.sql..",
              "jakarta.servlet..",
              "org.jspecify.annotations..")
          .because(
              "other people's services take freshness-client without any dependency: write what it"
                  + " needs with the JDK, and keep Tidemark's modules out");

  @ArchTest
  static final ArchRule SERVLETS_ONLY_IN_THE_CLIENTS_FILTER =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.tidemark.client", "dev.tidemark.client.jdbc", "dev.tidemark.client.http")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("jakarta.servlet..", "dev.tidemark.client.servlet")
          .because(
              "jakarta.servlet is there only in services behind a filter: what the others use must"
                  + " load without it");

  @ArchTest
  static final ArchRule NOTHING_OF_OURS_NEEDS_THE_CLIENT =
      noClasses()
          .that()
          .resideInAnyPackage(TOPICS, CAPTURE, PROJECTOR, GATEWAY, STANDALONE)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(CLIENT)
          .because(
              "freshness-client has its own, smaller idea of a position, made for other people's"
                  + " Java: use dev.tidemark.topics.Lsn");

  @ArchTest
  static final ArchRule THE_CLIENTS_OF_JAVA_17 =
      classes()
          .that()
          .resideInAPackage(CLIENT)
          .should(beCompiledFor(17))
          .because(
              "services that are not ours need not be on the newest Java: leave"
                  + " maven.compiler.release of the client modules at 17");

  @ArchTest
  static final ArchRule NOTHING_USES_STANDALONE =
      noClasses()
          .that()
          .resideOutsideOfPackages(STANDALONE, TESTS)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(STANDALONE)
          .because(
              "standalone puts the services together: what a service needs from it is handed in"
                  + " through the service's own config");

  @ArchTest
  static final ArchRule PACKAGES_OF_A_MODULE_HAVE_NO_CYCLES =
      slices()
          .matching("dev.tidemark.(*).(*)..")
          .should()
          .beFreeOfCycles()
          .ignoreDependency(TableName.class, Sql.class) // a name that knows how SQL spells it
          .because(
              "packages that use each other are one package in disguise: move the type that both"
                  + " need into the one that is lower, or invert the call by an interface");

  private static ArchRule knowsNoOther(String service, String... others) {
    return noClasses()
        .that()
        .resideInAPackage(service)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others)
        .because(
            "the services meet in Kafka and PostgreSQL alone: put what both must know into topics");
  }

  private static ArchCondition<JavaClass> beCompiledFor(int release) {
    return new ArchCondition<>("be compiled for Java " + release) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        int major = majorVersion(type);
        events.add(
            new SimpleConditionEvent(
                type,
                major == 44 + release,
                type.getName() + " is of class file version " + major));
      }
    };
  }

  /** The bytes 6 and 7 of a class file (JVM specification, section 4.1). */
  private static int majorVersion(JavaClass type) {
    try (DataInputStream file =
        new DataInputStream(type.getSource().orElseThrow().getUri().toURL().openStream())) {
      file.skipNBytes(6);
      return file.readUnsignedShort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ArchRule only(String user, String library, String mend) {
    return noClasses()
        .that()
        .resideOutsideOfPackages(user, PEERS)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(library)
        .because(mend);
  }
}
