/**
 * Load on a running gateway, bounded and with figures: reads that wait together, and what a gate
 * costs. Called by tests with small numbers, and by hand with large ones. Knows the gateway by HTTP
 * alone.
 */
@NullMarked
package dev.tidemark.tests.load;

import org.jspecify.annotations.NullMarked;
