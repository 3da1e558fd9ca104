/** What operators use: health, metrics, pausing roles. */
@NullMarked
package dev.tidemark.gateway.ops;

import org.jspecify.annotations.NullMarked;
