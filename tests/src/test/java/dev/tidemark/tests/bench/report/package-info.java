/** The tests of {@code ./tidemark bench}. */
@NullMarked
package dev.tidemark.tests.bench.report;

import org.jspecify.annotations.NullMarked;
