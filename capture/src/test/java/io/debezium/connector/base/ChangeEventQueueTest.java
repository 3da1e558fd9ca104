package io.debezium.connector.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.debezium.pipeline.EventDispatcher;
import io.debezium.pipeline.Sizeable;
import io.debezium.util.LoggingContext;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChangeEventQueueTest {

  private record Event(String name, long objectSize) implements Sizeable {

    Event(String name) {
      this(name, 1);
    }
  }

  /**
   * A queue whose batches are larger than what the tests put into it, and whose interval is long.
   */
  private static ChangeEventQueue.Builder<Event> builder() {
    return new ChangeEventQueue.Builder<Event>()
        .pollInterval(Duration.ofHours(1))
        .maxQueueSize(100)
        .maxBatchSize(50)
        .maxQueueSizeInBytes(1_000)
        .loggingContextSupplier(() -> LoggingContext.forConnector("a", "b", "c"));
  }

  private static List<String> names(List<Event> events) {
    return events.stream().map(Event::name).toList();
  }

  /** Runs it on a thread of its own, and returns when that waits or is done. */
  private static CompletableFuture<List<String>> waiting(Call call) {
    AtomicReference<Thread> thread = new AtomicReference<>();
    CompletableFuture<List<String>> result = new CompletableFuture<>();
    thread.set(
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    result.complete(call.run());
                  } catch (InterruptedException | RuntimeException e) {
                    result.completeExceptionally(e);
                  }
                }));
    await()
        .until(
            () ->
                result.isDone()
                    || thread.get().getState() == Thread.State.WAITING
                    || thread.get().getState() == Thread.State.TIMED_WAITING);
    return result;
  }

  private interface Call {
    List<String> run() throws InterruptedException;
  }

  private static CompletableFuture<List<String>> enqueuing(
      ChangeEventQueue<Event> queue, Event event) {
    return waiting(
        () -> {
          queue.enqueue(event);
          return List.of();
        });
  }

  @Test
  void anEventThatComesAloneIsHandedOut() throws InterruptedException {
    ChangeEventQueue<Event> queue = builder().build();
    queue.enqueue(new Event("a"));

    assertThat(names(queue.poll())).containsExactly("a");
  }

  @Test
  void anEventEndsAPollThatWaits() throws Exception {
    ChangeEventQueue<Event> queue = builder().patience(Duration.ofHours(1)).build();
    CompletableFuture<List<String>> polled = waiting(() -> names(queue.poll()));
    assertThat(polled).isNotDone();
    queue.enqueue(new Event("a"));

    assertThat(polled.get(30, TimeUnit.SECONDS)).containsExactly("a");
  }

  @Test
  void aPollComesBackWithNothingWhenNothingCame() throws InterruptedException {
    assertThat(builder().build().poll()).isEmpty();
  }

  @Test
  void aBatchIsNoLargerThanAllowed() throws InterruptedException {
    ChangeEventQueue<Event> queue = builder().maxBatchSize(3).build();
    for (String name : List.of("a", "b", "c", "d", "e")) {
      queue.enqueue(new Event(name));
    }

    assertThat(names(queue.poll())).containsExactly("a", "b", "c");
    assertThat(names(queue.poll())).containsExactly("d", "e");
  }

  @Test
  void whoAddsWaitsWhileTheQueueIsFull() throws Exception {
    ChangeEventQueue<Event> queue = builder().maxQueueSize(2).build();
    queue.enqueue(new Event("a"));
    queue.enqueue(new Event("b"));
    CompletableFuture<List<String>> third = enqueuing(queue, new Event("c"));

    assertThat(third).isNotDone();
    assertThat(queue.remainingCapacity()).isZero();
    assertThat(names(queue.poll())).containsExactly("a", "b");
    third.get(30, TimeUnit.SECONDS);
    assertThat(names(queue.poll())).containsExactly("c");
  }

  @Test
  void everyoneWhoWaitsForRoomGoesOn() throws Exception {
    ChangeEventQueue<Event> queue = builder().maxQueueSize(2).build();
    queue.enqueue(new Event("a"));
    queue.enqueue(new Event("b"));
    CompletableFuture<List<String>> third = enqueuing(queue, new Event("c"));
    CompletableFuture<List<String>> fourth = enqueuing(queue, new Event("d"));
    queue.poll();

    third.get(30, TimeUnit.SECONDS);
    fourth.get(30, TimeUnit.SECONDS);
    assertThat(names(queue.poll())).containsExactlyInAnyOrder("c", "d");
  }

  @Test
  void bytesAreBoundedToAnEvent() throws Exception {
    ChangeEventQueue<Event> queue = builder().maxQueueSizeInBytes(10).build();
    queue.enqueue(new Event("small", 9));
    queue.enqueue(new Event("larger than the bound", 50));
    CompletableFuture<List<String>> third = enqueuing(queue, new Event("c"));

    assertThat(third).isNotDone();
    assertThat(queue.currentQueueSizeInBytes()).isEqualTo(59);
    queue.poll();
    third.get(30, TimeUnit.SECONDS);
    assertThat(queue.currentQueueSizeInBytes()).isEqualTo(1);
  }

  @Test
  void zeroBytesMeanNoBound() throws InterruptedException {
    ChangeEventQueue<Event> queue = builder().maxQueueSizeInBytes(0).build();
    queue.enqueue(new Event("a", Long.MAX_VALUE));
    queue.enqueue(new Event("b", Long.MAX_VALUE));

    assertThat(names(queue.poll())).containsExactly("a", "b");
  }

  @Test
  void theProducersFailureEndsAPollThatWaitsAndAllThatFollow() throws InterruptedException {
    ChangeEventQueue<Event> queue = builder().patience(Duration.ofHours(1)).build();
    CompletableFuture<List<String>> polling = waiting(() -> names(queue.poll()));
    assertThat(polling).isNotDone();
    queue.producerException(new IllegalStateException("the slot is gone"));

    assertThatThrownBy(() -> polling.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("the slot is gone");
    queue.enqueue(new Event("a"));
    assertThatThrownBy(queue::poll).hasMessage("the slot is gone");
  }

  @Test
  void theNewestEventIsKeptBackWhileBuffering() throws InterruptedException {
    ChangeEventQueue<Event> queue = builder().buffering().build();
    queue.enqueue(new Event("a"));
    queue.enqueue(new Event("b"));

    assertThat(queue.isBuffered()).isTrue();
    assertThat(names(queue.poll())).containsExactly("a");
    queue.flushBuffer(event -> new Event(event.name() + ", the last"));
    queue.disableBuffering();
    queue.enqueue(new Event("c"));
    assertThat(names(queue.poll())).containsExactly("b, the last", "c");
    queue.enableBuffering();
    queue.enqueue(new Event("d"));
    assertThat(queue.poll()).isEmpty();
  }

  @Test
  void anInterruptedThreadAddsNothing() throws InterruptedException {
    ChangeEventQueue<Event> queue = builder().build();
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> queue.enqueue(new Event("a")))
        .isInstanceOf(InterruptedException.class);
    assertThat(queue.poll()).isEmpty();
  }

  @Test
  void nothingIsNoEvent() throws InterruptedException {
    ChangeEventQueue<Event> queue = builder().build();
    queue.enqueue(null);

    assertThat(queue.remainingCapacity()).isEqualTo(queue.totalCapacity());
    assertThat(queue.maxQueueSizeInBytes()).isEqualTo(1_000);
  }

  /** Debezium's other classes call it; a version with another method must not fail at run time. */
  @Test
  void itHasWhatDebeziumsHas() throws Exception {
    URL connectors = EventDispatcher.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader debeziums =
        new URLClassLoader(new URL[] {connectors}, getClass().getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.startsWith(ChangeEventQueue.class.getName())
                ? findClass(name)
                : super.loadClass(name, resolve);
          }
        }) {
      for (String name : List.of("", "$Builder")) {
        String type = ChangeEventQueue.class.getName() + name;
        Class<?> theirs = debeziums.loadClass(type);
        assertThat(theirs).isNotSameAs(Class.forName(type));
        assertThat(methods(Class.forName(type))).containsAll(methods(theirs));
      }
    }
  }

  private static Set<String> methods(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
        .map(ChangeEventQueueTest::signature)
        .collect(Collectors.toSet());
  }

  private static String signature(Method method) {
    return Stream.concat(
            Stream.of(method.getReturnType(), method.getName()),
            Arrays.stream(method.getParameterTypes()))
        .map(part -> part instanceof Class<?> type ? type.getName() : part.toString())
        .collect(Collectors.joining(" "));
  }
}
