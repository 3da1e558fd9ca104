/**
 * What services that write and callers that read have in common: positions, tokens, and the names
 * of the headers that carry them. Knows nothing of Tidemark's own modules, no database and no HTTP
 * library. Everything below this package may use it.
 */
@NullMarked
package dev.tidemark.client;

import org.jspecify.annotations.NullMarked;
