package dev.tidemark.capture.engine;

import io.debezium.snapshot.spi.SnapshotQuery;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads the rows of the snapshot as PostgreSQL's own text, as the stream delivers them. */
public final class TextSnapshotQuery implements SnapshotQuery {

  /** The value of {@code snapshot.query.mode.custom.name}. */
  static final String NAME = "tidemark-text";

  /** For Debezium, which finds it as a service. */
  public TextSnapshotQuery() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void configure(Map<String, ?> properties) {}

  /**
   * Both the table and the columns come quoted.
   *
   * <p>A cast to text is not always what the stream delivers, which is the type's output function:
   * it cuts the blanks of {@code char(n)}, spells booleans out, and adds a mask to {@code inet}.
   * {@code format} calls the output function. Distinctness from null, other than {@code is null},
   * holds for the value itself where it is a composite.
   */
  @Override
  public Optional<String> snapshotQuery(String tableId, List<String> columns) {
    return Optional.of(
        columns.stream()
            .map(
                column ->
                    "case when %1$s is distinct from null then pg_catalog.format('%%s', %1$s) end as %1$s"
                        .formatted(column))
            .collect(Collectors.joining(", ", "select ", " from " + tableId)));
  }
}
