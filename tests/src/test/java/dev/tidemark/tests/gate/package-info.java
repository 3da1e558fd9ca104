/**
 * What the gateway owes its callers, over real HTTP: waiting, staleness, limits, tokens, headers.
 */
@NullMarked
package dev.tidemark.tests.gate;

import org.jspecify.annotations.NullMarked;
