package dev.tidemark.tests.prove.load;

import dev.tidemark.tests.prove.history.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Writes subjects of one kind to the source over JDBC. */
abstract class TableWriter<S extends TableWriter.Item> extends Worker {

  private static final long PAUSE_MS = 50;

  private final SourceSession session;
  private final Random random;
  private final List<S> items = new ArrayList<>();
  private final int count;

  /** A subject, and what its writer knows of its rows. */
  static class Item {
    private final Subject subject;

    Item(Subject subject) {
      this.subject = subject;
    }

    final Subject subject() {
      return subject;
    }
  }

  TableWriter(String name, Context context, int count, boolean asynchronous, long seed) {
    super(name, context);
    this.session = new SourceSession(context, asynchronous);
    this.random = new Random(seed);
    this.count = count;
  }

  /** Another item, in the place of one that is retired. */
  abstract S fresh();

  /** Writes an item once. */
  abstract void write(S item);

  @Override
  final void step() {
    int index = random.nextInt(count);
    while (items.size() <= index) {
      items.add(fresh());
    }
    if (items.get(index).subject().retired()) {
      items.set(index, fresh());
    }
    write(items.get(index));
    rest(PAUSE_MS / 2 + random.nextLong(PAUSE_MS));
  }

  final SourceSession session() {
    return session;
  }

  final Random random() {
    return random;
  }

  final String tenant() {
    return Context.TENANTS.get(random.nextInt(Context.TENANTS.size()));
  }

  @Override
  public void close() {
    session.close();
  }
}
