package dev.tidemark.topics.route;

import java.util.List;

/**
 * The roles that may read and write a document type, or read a table route.
 *
 * @param read roles that may read
 * @param write roles that may write
 */
public record Permission(List<String> read, List<String> write) {

  public Permission {
    read = List.copyOf(read);
    write = List.copyOf(write);
  }
}
