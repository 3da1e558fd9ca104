/**
 * For a caller: remembers the tokens of its writes and reads replicas with them, over {@code
 * java.net.http}. Knows the gateway by its documented answers only.
 */
@NullMarked
package dev.tidemark.client.http;

import org.jspecify.annotations.NullMarked;
