package dev.tidemark.topics;

/**
 * Which history of the source a position belongs to. It grows whenever that history is started
 * anew: at the first snapshot, after a lost slot, after routes changed so that rows must be read
 * again.
 *
 * @param number 1 or more; later generations have larger numbers
 * @param history an opaque, URL-safe name of the history (system identifier, timeline and number,
 *     hashed), which is what clients see as {@code X-Tx-Generation}
 */
public record Generation(int number, String history) {

  public Generation {
    if (number < 1) {
      throw new IllegalArgumentException("a generation's number is 1 or more, but was " + number);
    }
    if (history.isEmpty()) {
      throw new IllegalArgumentException("a generation's history must not be empty");
    }
  }
}
