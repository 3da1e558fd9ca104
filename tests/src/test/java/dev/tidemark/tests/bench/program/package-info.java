/** The tests of {@code ./tidemark bench}. */
@NullMarked
package dev.tidemark.tests.bench.program;

import org.jspecify.annotations.NullMarked;
