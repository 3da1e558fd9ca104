/** Where the watermarks and the source stand, waiting for them, and the pages that show them. */
@NullMarked
package dev.tidemark.gateway.sync;

import org.jspecify.annotations.NullMarked;
