/**
 * Concurrent writers and readers over HTTP and JDBC, as programs of a user would be; called by the
 * command, and by the faults for transactions that are faults by their size.
 */
@NullMarked
package dev.tidemark.tests.prove.load;

import org.jspecify.annotations.NullMarked;
