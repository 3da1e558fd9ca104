/** Every error answer, as RFC 9457 problem details. Called by all other packages of the gateway. */
@NullMarked
package dev.tidemark.gateway.problem;

import org.jspecify.annotations.NullMarked;
