/**
 * What the services must agree on, as values and pure functions: positions ({@link
 * dev.tidemark.topics.Lsn}), tenants, partitions and topic names. Every module may call it; it
 * opens no connection and starts no thread.
 */
@NullMarked
package dev.tidemark.topics;

import org.jspecify.annotations.NullMarked;
