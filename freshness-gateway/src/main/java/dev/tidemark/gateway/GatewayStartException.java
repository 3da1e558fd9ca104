package dev.tidemark.gateway;

import org.jspecify.annotations.Nullable;

/** A gateway that could not start; the message says what was found and what to do. */
public final class GatewayStartException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public GatewayStartException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
