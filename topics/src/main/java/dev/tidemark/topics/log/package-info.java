/**
 * The records of the log topic ({@link dev.tidemark.topics.log.LogRecord}) and their one codec
 * ({@link dev.tidemark.topics.log.LogCodec}). Capture writes them, the projector reads them; values
 * only.
 */
@NullMarked
package dev.tidemark.topics.log;

import org.jspecify.annotations.NullMarked;
