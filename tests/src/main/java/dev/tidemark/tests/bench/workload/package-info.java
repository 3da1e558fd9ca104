/** What is done to the systems and what is measured; one class for each workload. */
@NullMarked
package dev.tidemark.tests.bench.workload;

import org.jspecify.annotations.NullMarked;
