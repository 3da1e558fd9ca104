package dev.tidemark.gateway.replica;

import dev.tidemark.topics.Lsn;
import java.util.Optional;

/** The position that the terms of a read come down to. */
sealed interface Demanded {

  /** None: the read is served as it is. */
  record Nothing() implements Demanded {}

  /** This one. */
  record Position(Lsn lsn) implements Demanded {}

  /** Some position that only the source could tell, and it does not: the gate stays shut. */
  record Unknown() implements Demanded {}

  /** For the gate: no watermark reaches a position that is unknown. */
  default Optional<Lsn> gate() {
    return switch (this) {
      case Nothing nothing -> Optional.empty();
      case Position position -> Optional.of(position.lsn());
      case Unknown unknown -> Optional.of(new Lsn(-1));
    };
  }

  /** For the client. */
  default Optional<Lsn> known() {
    return this instanceof Position position ? Optional.of(position.lsn()) : Optional.empty();
  }
}
