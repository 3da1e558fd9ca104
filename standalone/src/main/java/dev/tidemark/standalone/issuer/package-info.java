/**
 * The issuer of bearer tokens of an embedded installation. It starts no server and needs none, so
 * that the command line can issue a token in a fraction of a second.
 */
@NullMarked
package dev.tidemark.standalone.issuer;

import org.jspecify.annotations.NullMarked;
