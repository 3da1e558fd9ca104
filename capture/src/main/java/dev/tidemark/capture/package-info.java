@NullMarked
package dev.tidemark.capture;

import org.jspecify.annotations.NullMarked;
