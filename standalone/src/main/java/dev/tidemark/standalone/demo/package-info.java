/**
 * The scene that {@code ./tidemark demo} plays: a client of the gateway's documented interface that
 * checks every step. Called by the command only.
 */
@NullMarked
package dev.tidemark.standalone.demo;

import org.jspecify.annotations.NullMarked;
