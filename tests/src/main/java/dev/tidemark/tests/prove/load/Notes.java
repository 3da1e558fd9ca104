package dev.tidemark.tests.prove.load;

import java.util.Random;

/** Texts for rows: short ones, and now and then one that PostgreSQL stores out of line. */
final class Notes {

  private static final int LARGE = 4_000;
  private static final int ONE_IN = 12;

  private Notes() {}

  static String any(Random random) {
    return random.nextInt(ONE_IN) == 0 ? text(random, LARGE) : "n" + random.nextInt(1_000_000);
  }

  /** Random letters and digits, which do not compress. */
  static String text(Random random, int length) {
    StringBuilder text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append(Character.forDigit(random.nextInt(36), 36));
    }
    return text.toString();
  }
}
