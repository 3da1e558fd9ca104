/**
 * Deliberate faults in the product's classes, put in while they are loaded: a check that does not
 * find them checks nothing. Used by tests only, in JVMs of their own.
 */
@NullMarked
package dev.tidemark.tests.mutant;

import org.jspecify.annotations.NullMarked;
