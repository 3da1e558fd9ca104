/**
 * Files that a person writes in YAML: the text of each value as it was written ({@link
 * dev.tidemark.topics.yaml.YamlMap}), and every problem of a file at once, with its line ({@link
 * dev.tidemark.topics.yaml.Problems}). Parsers of files may call it; it reads no file itself.
 */
@NullMarked
package dev.tidemark.topics.yaml;

import org.jspecify.annotations.NullMarked;
