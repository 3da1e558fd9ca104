/**
 * Source PostgreSQL to log topic. {@link dev.tidemark.capture.Capture} is the entry: it elects one
 * reader of the slot and runs the engine. Debezium is known in {@code engine} alone; {@code
 * assemble} is pure; {@code state} keeps offsets and generations in Kafka.
 */
@NullMarked
package dev.tidemark.capture;

import org.jspecify.annotations.NullMarked;
