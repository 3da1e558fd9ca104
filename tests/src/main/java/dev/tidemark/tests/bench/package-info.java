/**
 * {@code ./tidemark bench}: the same workloads for Tidemark and for its peers, in one run. Its
 * command line and the order of a run; below are the workloads, the systems and the reports.
 * Nothing outside of this package and its tests calls into it.
 */
@NullMarked
package dev.tidemark.tests.bench;

import org.jspecify.annotations.NullMarked;
