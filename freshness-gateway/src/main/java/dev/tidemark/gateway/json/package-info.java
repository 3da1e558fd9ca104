/** JSON as text, so that no number is ever rounded. Pure functions over strings. */
@NullMarked
package dev.tidemark.gateway.json;

import org.jspecify.annotations.NullMarked;
