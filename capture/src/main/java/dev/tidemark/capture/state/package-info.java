/**
 * What capture remembers, in the pipeline's compacted offsets topic, and what it decides from it at
 * start.
 */
@NullMarked
package dev.tidemark.capture.state;

import org.jspecify.annotations.NullMarked;
