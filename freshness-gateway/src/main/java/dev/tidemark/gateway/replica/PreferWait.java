package dev.tidemark.gateway.replica;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code Prefer: wait=N} (RFC 7240, section 4.3). */
public final class PreferWait {

  /** No request waits longer. */
  public static final Duration MAX = Duration.ofSeconds(30);

  /** One preference: a name, maybe a value, maybe parameters; values may be quoted. */
  private static final Pattern PREFERENCE =
      Pattern.compile(
          "\\s*([^\\s=;,\"]+)\\s*(?:=\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|[^\\s;,\"]*))?"
              + "\\s*((?:;(?:[^,\"]|\"(?:[^\"\\\\]|\\\\.)*\")*)?)(?:,|$)");

  private PreferWait() {}

  /**
   * The whole seconds to wait, at most {@link #MAX}. The first {@code wait} counts; one that is no
   * number of seconds is left aside, as the RFC wants for preferences that are not understood.
   */
  public static Optional<Duration> parse(List<String> values) {
    for (String value : values) {
      Matcher preference = PREFERENCE.matcher(value);
      int from = 0;
      while (from < value.length() && preference.find(from) && preference.start() == from) {
        if (preference.group(1).toLowerCase(Locale.ROOT).equals("wait")) {
          return seconds(preference.group(2));
        }
        from = preference.end();
      }
    }
    return Optional.empty();
  }

  private static Optional<Duration> seconds(@org.jspecify.annotations.Nullable String value) {
    if (value == null) {
      return Optional.empty();
    }
    String digits = value.startsWith("\"") ? value.substring(1, value.length() - 1) : value;
    if (!digits.matches("[0-9]{1,18}")) {
      return Optional.empty();
    }
    return Optional.of(Duration.ofSeconds(Math.min(Long.parseLong(digits), MAX.toSeconds())));
  }
}
