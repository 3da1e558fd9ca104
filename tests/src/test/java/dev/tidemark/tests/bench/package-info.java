/** The tests of {@code ./tidemark bench}. */
@NullMarked
package dev.tidemark.tests.bench;

import org.jspecify.annotations.NullMarked;
