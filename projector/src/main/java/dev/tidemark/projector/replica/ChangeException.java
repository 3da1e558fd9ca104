package dev.tidemark.projector.replica;

/** A change that cannot be written, with the row that it is about. */
final class ChangeException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Stop stop;

  ChangeException(Stop stop, Exception cause) {
    super(stop.reason(), cause);
    this.stop = stop;
  }

  Stop stop() {
    return stop;
  }
}
