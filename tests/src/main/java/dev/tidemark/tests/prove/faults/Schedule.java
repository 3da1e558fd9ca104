package dev.tidemark.tests.prove.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Which fault comes when, as a function of the seed and the duration. */
public final class Schedule {

  private static final Duration FIRST = Duration.ofSeconds(4);
  private static final Duration STEP = Duration.ofSeconds(5);
  private static final int EXPENSIVE_ONE_IN = 3;

  /** No expensive fault begins so late, nor a cheap one later than {@link #STEP} before the end. */
  private static final Duration CALM = Duration.ofSeconds(17);

  private Schedule() {}

  /**
   * A fault to come.
   *
   * @param at when, from the start
   * @param kind what
   * @param seed of its own choices
   */
  public record Planned(Duration at, FaultKind kind, long seed) {}

  /** The faults in their order. Every kind comes before one of its sort comes again. */
  public static List<Planned> of(long seed, Duration duration) {
    Random random = new Random(seed);
    Deck expensive = new Deck(random, true);
    Deck cheap = new Deck(random, false);
    List<Planned> planned = new ArrayList<>();
    int number = 0;
    for (Duration at = FIRST; at.compareTo(duration.minus(STEP)) <= 0; at = at.plus(STEP)) {
      boolean dear = number++ % EXPENSIVE_ONE_IN == 0 && at.compareTo(duration.minus(CALM)) <= 0;
      planned.add(
          new Planned(
              at.plusMillis(random.nextInt(1_500)),
              dear ? expensive.deal() : cheap.deal(),
              random.nextLong()));
    }
    return planned;
  }

  private static final class Deck {
    private final Random random;
    private final boolean expensive;
    private final List<FaultKind> left = new ArrayList<>();

    Deck(Random random, boolean expensive) {
      this.random = random;
      this.expensive = expensive;
    }

    FaultKind deal() {
      if (left.isEmpty()) {
        Arrays.stream(FaultKind.values())
            .filter(kind -> kind.expensive() == expensive)
            .forEach(left::add);
        Collections.shuffle(left, random);
      }
      return left.removeLast();
    }
  }
}
