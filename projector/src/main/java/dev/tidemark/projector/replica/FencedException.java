package dev.tidemark.projector.replica;

/** Another projector has taken the partition over: whatever this one still holds for it is void. */
public final class FencedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The partition was taken over. */
  public FencedException(int partition) {
    super("partition " + partition + " was taken over by another projector");
  }
}
