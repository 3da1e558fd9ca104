/**
 * What needs more than one module: the road of a change from end to end, and the rules of who may
 * use what.
 */
@NullMarked
package dev.tidemark.tests;

import org.jspecify.annotations.NullMarked;
