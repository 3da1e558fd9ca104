@NullMarked
package dev.tidemark.standalone;

import org.jspecify.annotations.NullMarked;
