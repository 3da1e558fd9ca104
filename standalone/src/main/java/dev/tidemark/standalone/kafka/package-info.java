/**
 * A Kafka broker inside the JVM. The only package that touches the broker's classes. Called by
 * {@code dev.tidemark.standalone} and by tests.
 */
@NullMarked
package dev.tidemark.standalone.kafka;

import org.jspecify.annotations.NullMarked;
