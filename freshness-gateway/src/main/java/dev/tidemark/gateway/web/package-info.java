/**
 * The Spring side: the web server, the filters, the beans. Called by {@link
 * dev.tidemark.gateway.Gateway} only.
 */
@NullMarked
package dev.tidemark.gateway.web;

import org.jspecify.annotations.NullMarked;
