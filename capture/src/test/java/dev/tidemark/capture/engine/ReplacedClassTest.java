package dev.tidemark.capture.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.connector.postgresql.PostgresConnector;
import io.debezium.connector.postgresql.pipeline.txmetadata.PostgresTransactionMonitor;
import io.debezium.embedded.async.AsyncEmbeddedEngine;
import io.debezium.embedded.async.ParallelSmtAndConvertBatchProcessor;
import io.debezium.pipeline.EventDispatcher;
import io.debezium.pipeline.source.spi.EventFormatter;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Debezium's other classes call them; a version with another method must not fail at run time. */
class ReplacedClassTest {

  static Stream<Arguments> replaced() {
    return Stream.of(
        Arguments.of(EventFormatter.class, EventDispatcher.class),
        Arguments.of(PostgresTransactionMonitor.class, PostgresConnector.class),
        Arguments.of(ParallelSmtAndConvertBatchProcessor.class, AsyncEmbeddedEngine.class));
  }

  @ParameterizedTest
  @MethodSource("replaced")
  void itHasWhatDebeziumsHas(Class<?> ours, Class<?> besideTheirs) throws Exception {
    URL jar = besideTheirs.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader debeziums =
        new URLClassLoader(new URL[] {jar}, getClass().getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.startsWith(ours.getName())
                ? findClass(name)
                : super.loadClass(name, resolve);
          }
        }) {
      Class<?> theirs = debeziums.loadClass(ours.getName());

      assertThat(theirs).isNotSameAs(ours);
      assertThat(callable(theirs)).isNotEmpty();
      assertThat(callable(ours)).containsAll(callable(theirs));
    }
  }

  private static Set<String> callable(Class<?> type) {
    return Stream.<Executable>concat(
            Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getDeclaredConstructors()))
        .filter(member -> Modifier.isPublic(member.getModifiers()) && !member.isSynthetic())
        .map(
            member ->
                Modifier.toString(member.getModifiers() & Modifier.STATIC)
                    + member.getName()
                    + Arrays.stream(member.getParameterTypes()).map(Class::getName).toList())
        .collect(Collectors.toSet());
  }
}
