/**
 * A PostgreSQL cluster of our own, run from binaries that Maven brings. Knows processes and files,
 * nothing of Tidemark's tables. Called by {@code dev.tidemark.standalone} and by tests.
 */
@NullMarked
package dev.tidemark.standalone.postgres;

import org.jspecify.annotations.NullMarked;
