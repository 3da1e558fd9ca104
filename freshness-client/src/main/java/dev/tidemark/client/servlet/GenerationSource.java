package dev.tidemark.client.servlet;

import java.util.Optional;

/**
 * Knows the name of the source's history ({@code X-Tx-Generation}), for instance from {@code
 * history} in a gateway's {@code /api/sync/status}. Most services do not, and use {@link #NONE}:
 * their tokens are positions alone.
 *
 * <p>The filter asks at the beginning of each request, before there is a commit: a history that
 * began after the commit would vouch for a position of the one before. So an implementation answers
 * from memory, never waits, throws nothing, and is thread-safe.
 */
@FunctionalInterface
public interface GenerationSource {

  /** Knows none. */
  GenerationSource NONE = Optional::empty;

  /** The name as last heard; empty when it is not known. */
  Optional<String> current();
}
