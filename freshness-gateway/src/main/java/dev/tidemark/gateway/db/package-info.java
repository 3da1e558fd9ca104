/**
 * Connections to the source and the replica, and the checks of isolation that come before the first
 * request.
 */
@NullMarked
package dev.tidemark.gateway.db;

import org.jspecify.annotations.NullMarked;
