package dev.tidemark.gateway;

/**
 * A role that runs in the same process and can be paused by an operator. Implementations are
 * thread-safe; pausing twice or resuming twice changes nothing.
 */
public interface RoleControl {

  /** Returns once the role does no more work. */
  void pause();

  /** Lets the role work again. */
  void resume();

  /** Whether the role is paused now. */
  boolean paused();
}
