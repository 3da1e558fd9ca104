/**
 * From the slot's events to log records, as a state machine without threads, clocks or connections.
 */
@NullMarked
package dev.tidemark.capture.assemble;

import org.jspecify.annotations.NullMarked;
