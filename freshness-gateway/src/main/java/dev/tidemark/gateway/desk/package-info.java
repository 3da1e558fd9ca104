/**
 * The web pages under {@code /desk/}. Their files lie beside this package on the class path and are
 * served as they are: they know the gateway by its HTTP interface only, as any other client does.
 */
@NullMarked
package dev.tidemark.gateway.desk;

import org.jspecify.annotations.NullMarked;
