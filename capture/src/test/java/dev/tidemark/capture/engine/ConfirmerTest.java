package dev.tidemark.capture.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.topics.Lsn;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ConfirmerTest {

  private static final Lsn FIRST = Lsn.parse("0/10");
  private static final Lsn SECOND = Lsn.parse("0/20");

  private final Queue<Lsn> storable = new ConcurrentLinkedQueue<>();
  private final List<String> done = new CopyOnWriteArrayList<>();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();

  private Confirmer confirmer(Consumer<Lsn> store) {
    return new Confirmer("p", () -> Optional.ofNullable(storable.poll()), store, failures::add);
  }

  private void confirmed(Lsn position) {
    done.add("confirmed " + position);
  }

  @Test
  void confirmsWhatIsStoredAndNothingElse() {
    storable.add(FIRST);
    storable.add(SECOND);
    try (Confirmer confirmer = confirmer(lsn -> done.add("stored " + lsn))) {
      confirmer.confirmWith(this::confirmed);
      await().until(() -> done.contains("confirmed 0/20"));
    }
    assertThat(done)
        .containsExactly("stored 0/10", "confirmed 0/10", "stored 0/20", "confirmed 0/20");
    assertThat(failures).isEmpty();
  }

  @Test
  void nothingIsConfirmedWhileItIsBeingStored() {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch acknowledged = new CountDownLatch(1);
    storable.add(FIRST);
    try (Confirmer confirmer =
        confirmer(
            lsn -> {
              asked.countDown();
              awaitOf(acknowledged);
              done.add("stored " + lsn);
            })) {
      confirmer.confirmWith(this::confirmed);
      awaitOf(asked);
      // The engine's thread, meanwhile.
      confirmer.confirmWith(lsn -> done.add("confirmed otherwise " + lsn));
      assertThat(done).isEmpty();
      acknowledged.countDown();
      await().until(() -> done.size() == 2);
    }
    assertThat(done).containsExactly("stored 0/10", "confirmed 0/10");
  }

  @Test
  void whatWasNotStoredIsNotConfirmedAndTold() {
    IllegalStateException refused = new IllegalStateException("the log does not answer");
    storable.add(FIRST);
    storable.add(SECOND);
    try (Confirmer confirmer =
        confirmer(
            lsn -> {
              throw refused;
            })) {
      confirmer.confirmWith(this::confirmed);
      await().until(() -> !failures.isEmpty());
    }
    assertThat(failures).containsExactly(refused);
    assertThat(done).isEmpty();
    assertThat(storable).containsExactly(SECOND);
  }

  @Test
  void nothingIsStoredAfterItsEnd() {
    Confirmer confirmer = confirmer(lsn -> done.add("stored " + lsn));
    confirmer.confirmWith(this::confirmed);
    confirmer.close();
    storable.add(FIRST);
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().equals("tidemark-capture-confirmer-p"));
  }

  private static void awaitOf(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
