@NullMarked
package dev.tidemark.projector;

import org.jspecify.annotations.NullMarked;
