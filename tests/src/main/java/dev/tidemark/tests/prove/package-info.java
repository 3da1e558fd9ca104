/**
 * {@code ./tidemark prove}: runs a Tidemark of its own under load and faults, and checks what its
 * readers were told. Nothing outside of this package and its tests calls into it or the packages
 * below.
 */
@NullMarked
package dev.tidemark.tests.prove;

import org.jspecify.annotations.NullMarked;
