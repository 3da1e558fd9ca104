/** Which faults come when (pure), and how they are injected and healed; called by the command. */
@NullMarked
package dev.tidemark.tests.prove.faults;

import org.jspecify.annotations.NullMarked;
