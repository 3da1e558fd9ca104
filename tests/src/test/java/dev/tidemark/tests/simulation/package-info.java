/**
 * The logic of positions in a world of one thread and no clock: the product's assembler, order,
 * projection and start decision among models of the source, the broker and the replica, driven by
 * seeded random schedules. Only tests use it.
 */
@NullMarked
package dev.tidemark.tests.simulation;

import org.jspecify.annotations.NullMarked;
