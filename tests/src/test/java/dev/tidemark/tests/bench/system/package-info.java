/** The tests of {@code ./tidemark bench}. */
@NullMarked
package dev.tidemark.tests.bench.system;

import org.jspecify.annotations.NullMarked;
