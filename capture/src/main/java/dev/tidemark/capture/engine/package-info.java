/**
 * The embedded Debezium engine: its settings, its hooks, and what its records mean. Nothing else
 * may know Debezium.
 */
@NullMarked
package dev.tidemark.capture.engine;

import org.jspecify.annotations.NullMarked;
