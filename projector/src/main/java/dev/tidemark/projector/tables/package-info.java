/** The topology that writes one topic for each routed source table, for analytics, exactly once. */
@NullMarked
package dev.tidemark.projector.tables;

import org.jspecify.annotations.NullMarked;
