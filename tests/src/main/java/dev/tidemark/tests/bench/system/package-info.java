/**
 * What is measured: Tidemark and its peers, each on two PostgreSQL clusters of its own, started and
 * stopped by the workloads.
 */
@NullMarked
package dev.tidemark.tests.bench.system;

import org.jspecify.annotations.NullMarked;
