package dev.tidemark.standalone.role;

import dev.tidemark.topics.yaml.Problems;
import dev.tidemark.topics.yaml.YamlMap;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Reads the kinds of values that a configuration file has. Used by one thread. */
final class Values {

  private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,8}");

  private final Path folder;
  private final Problems problems;

  /**
   * @param folder that relative paths begin in
   */
  Values(Path folder, Problems problems) {
    this.folder = folder;
    this.problems = problems;
  }

  Problems problems() {
    return problems;
  }

  /**
   * The map under a key, with its keys checked.
   *
   * @param needed whether it is a problem when the key is absent
   */
  Optional<YamlMap> section(YamlMap map, String key, List<String> known, boolean needed) {
    return (needed ? map.require(key) : map.get(key))
        .flatMap(node -> YamlMap.of(node, "`" + key + "`", problems))
        .map(section -> section.knowing(known));
  }

  Optional<String> text(YamlMap map, String key, boolean needed) {
    return needed ? map.requireText(key) : map.text(key);
  }

  int number(YamlMap map, String key, int least, int most, int otherwise) {
    return number(map, key, least, most).orElse(otherwise);
  }

  /** Empty when the key is absent, and when its value is a problem. */
  OptionalInt number(YamlMap map, String key, int least, int most) {
    Optional<String> text = map.text(key);
    if (text.isEmpty()) {
      return OptionalInt.empty();
    }
    if (NUMBER.matcher(text.get()).matches()) {
      int number = Integer.parseInt(text.get());
      if (number >= least && number <= most) {
        return OptionalInt.of(number);
      }
    }
    problems.at(
        map.at(key),
        "`%s: %s` is not a whole number from %d to %d".formatted(key, text.get(), least, most));
    return OptionalInt.empty();
  }

  /** A path; a relative one begins in the folder of the file. */
  Optional<Path> path(YamlMap map, String key, boolean needed) {
    Optional<String> text = text(map, key, needed);
    try {
      return text.map(folder::resolve);
    } catch (InvalidPathException e) {
      problems.at(map.at(key), "`%s` is no path: %s".formatted(key, e.getReason()));
      return Optional.empty();
    }
  }

  /** An http or https URL. */
  Optional<URI> uri(YamlMap map, String key) {
    Optional<String> text = map.text(key);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      URI uri = new URI(text.get());
      if (uri.getHost() != null
          && ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()))) {
        return Optional.of(uri);
      }
    } catch (URISyntaxException e) {
      // said below, like any other text that is no URL
    }
    problems.at(
        map.at(key),
        "`%s: %s` is not a URL that begins with https:// or http:// and a host"
            .formatted(key, text.get()));
    return Optional.empty();
  }
}
