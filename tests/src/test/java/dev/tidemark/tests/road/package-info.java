/**
 * The road of a change from end to end, as users see it: through HTTP, SQL on the two databases and
 * Kafka's topics, and nothing else.
 */
@NullMarked
package dev.tidemark.tests.road;

import org.jspecify.annotations.NullMarked;
