/** What the commands of this module share; called by {@code prove} and {@code bench}. */
@NullMarked
package dev.tidemark.tests.command;

import org.jspecify.annotations.NullMarked;
