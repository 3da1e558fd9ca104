/**
 * A client of the gateway's HTTP interface, as any program could be one: for the commands that ask
 * a running installation. Knows the gateway by its documented interface only.
 */
@NullMarked
package dev.tidemark.standalone.client;

import org.jspecify.annotations.NullMarked;
