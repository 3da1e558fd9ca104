/**
 * The topology that writes replica rows and watermarks, and its one connection for each partition.
 */
@NullMarked
package dev.tidemark.projector.replica;

import org.jspecify.annotations.NullMarked;
