package dev.tidemark.tests.prove.load;

import dev.tidemark.tests.prove.history.Subject;
import dev.tidemark.topics.Lsn;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Every subject of a run. Thread-safe. */
public final class Subjects {

  private final List<Subject> all = new CopyOnWriteArrayList<>();
  private final AtomicInteger numbers = new AtomicInteger();

  /** A new one, of a group that no other has. */
  public Subject fresh(String kind) {
    Subject subject = new Subject(kind + "-" + numbers.incrementAndGet());
    all.add(subject);
    return subject;
  }

  /** Any; empty when there is none yet. */
  public Optional<Subject> any(Random random) {
    int size = all.size();
    return size == 0 ? Optional.empty() : Optional.of(all.get(random.nextInt(size)));
  }

  /** All of them. */
  public List<Subject> all() {
    return all;
  }

  /** Tells all of them that the source crashed. */
  public void sourceCrashed(Lsn durable) {
    all.forEach(subject -> subject.sourceCrashed(durable));
  }
}
