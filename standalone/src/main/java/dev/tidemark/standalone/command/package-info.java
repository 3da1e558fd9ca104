/**
 * The sub-commands of {@code ./tidemark}: they parse, call and print, and decide nothing. Only
 * {@link dev.tidemark.standalone.Main} may call this package.
 */
@NullMarked
package dev.tidemark.standalone.command;

import org.jspecify.annotations.NullMarked;
