/**
 * Checks of the end, when all faults are healed: replica against source, topics against source,
 * every token reached; called by the command.
 */
@NullMarked
package dev.tidemark.tests.prove.end;

import org.jspecify.annotations.NullMarked;
