/**
 * Log topic to replica tables and table topics. {@link dev.tidemark.projector.Projector} is the
 * entry and the only place that starts Kafka Streams; {@code row} maps changes to rows and is pure;
 * {@code replica} writes replica tables; {@code tables} writes the topics for analytics.
 */
@NullMarked
package dev.tidemark.projector;

import org.jspecify.annotations.NullMarked;
