/**
 * The HTTP side of a pipeline. {@link dev.tidemark.gateway.Gateway} starts it from a {@link
 * dev.tidemark.gateway.GatewayConfig}; these two and the types that they mention are what other
 * modules may call. The sub-packages are the gateway's own.
 */
@NullMarked
package dev.tidemark.gateway;

import org.jspecify.annotations.NullMarked;
