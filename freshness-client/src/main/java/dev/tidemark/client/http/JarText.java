package dev.tidemark.client.http;

import dev.tidemark.client.Position;
import dev.tidemark.client.Token;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A jar as a text: {@code source=position@generation!} for each source, joined by ampersands. The
 * generation is left out where there is none; the exclamation mark stands for {@code latest}.
 * Source and generation are percent-encoded.
 */
final class JarText {

  private static final Pattern ENTRY =
      Pattern.compile(
          "(?<source>[^=&]+)=(?:(?<position>[0-9A-Fa-f]+/[0-9A-Fa-f]+)(?:@(?<generation>[^@!&=]+))?)?"
              + "(?<latest>!?)");

  private JarText() {}

  static String of(Map<String, Requirement> requirements) {
    return requirements.entrySet().stream()
        .map(entry -> encoded(entry.getKey()) + "=" + text(entry.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String text(Requirement requirement) {
    String token =
        requirement
            .token()
            .map(each -> each.position() + each.generation().map(g -> "@" + encoded(g)).orElse(""))
            .orElse("");
    return token + (requirement.latest() ? "!" : "");
  }

  static Map<String, Requirement> parse(String text) {
    Map<String, Requirement> requirements = new TreeMap<>();
    if (text.isEmpty()) {
      return requirements;
    }
    for (String part : text.split("&", -1)) {
      Matcher entry = ENTRY.matcher(part);
      if (!entry.matches()) {
        throw new IllegalArgumentException(
            "not a saved jar: expected entries such as orders=0/387F920@43d80809138576fd, joined by"
                + " ampersands");
      }
      requirements.put(decoded(entry.group("source")), requirement(entry));
    }
    return requirements;
  }

  private static Requirement requirement(Matcher entry) {
    Optional<String> generation =
        Optional.ofNullable(entry.group("generation")).map(JarText::decoded);
    Optional<Token> token =
        Optional.ofNullable(entry.group("position"))
            .map(position -> new Token(Position.parse(position), generation));
    return new Requirement(token, !entry.group("latest").isEmpty());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
