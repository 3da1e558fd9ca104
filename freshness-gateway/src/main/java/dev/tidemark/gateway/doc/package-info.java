/** Documents of the source: reads and writes that return a position. Called over HTTP only. */
@NullMarked
package dev.tidemark.gateway.doc;

import org.jspecify.annotations.NullMarked;
