/**
 * The route file: what is captured, and how it is projected. {@link
 * dev.tidemark.topics.route.RouteFile} is the parsed and checked form; {@link
 * dev.tidemark.topics.route.RouteFileParser} reads YAML and reports every problem at once. Values
 * and pure functions only.
 */
@NullMarked
package dev.tidemark.topics.route;

import org.jspecify.annotations.NullMarked;
