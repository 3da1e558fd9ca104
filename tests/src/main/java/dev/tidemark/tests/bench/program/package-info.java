/**
 * The programs of the peers, each in a process of its own. Debezium's and Connect's run without
 * capture's classes, since some stand in the place of Debezium's own. They obey lines of their
 * standard input and end when it is closed. Started by the package {@code system} only.
 */
@NullMarked
package dev.tidemark.tests.bench.program;

import org.jspecify.annotations.NullMarked;
