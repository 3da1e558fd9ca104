/**
 * For a service behind Jakarta Servlet (6.0 or later): a filter, and for each request the recorder
 * that puts the position of its commits into the answer. The only package that knows servlets.
 */
@NullMarked
package dev.tidemark.client.servlet;

import org.jspecify.annotations.NullMarked;
