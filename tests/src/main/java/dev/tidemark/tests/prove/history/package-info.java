/**
 * What was written and what readers may see of it, as pure bookkeeping without clocks, threads or
 * connections of its own; called by the load, the faults and the final checks.
 */
@NullMarked
package dev.tidemark.tests.prove.history;

import org.jspecify.annotations.NullMarked;
