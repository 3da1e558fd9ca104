package dev.tidemark.standalone.command;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a duration as a person writes it: {@code 90s}, {@code 30m}, {@code 1h}, {@code 7d}. */
final class TtlConverter implements ITypeConverter<Duration> {

  private static final Pattern FORM = Pattern.compile("([0-9]{1,6})([smhd])");

  @Override
  public Duration convert(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
      throw new TypeConversionException(
          "'" + text + "' is not a duration: write a number above 0 and s, m, h or d, like 1h");
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }
}
