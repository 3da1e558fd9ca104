@NullMarked
package dev.tidemark.gateway;

import org.jspecify.annotations.NullMarked;
