/**
 * Everything in one JVM: {@link dev.tidemark.standalone.Standalone} starts the embedded servers and
 * the services in order and stops them in the reverse one; {@link dev.tidemark.standalone.Main} is
 * the entry of the command line. Nothing but {@code command} and the {@code tests} module may call
 * this package.
 */
@NullMarked
package dev.tidemark.standalone;

import org.jspecify.annotations.NullMarked;
