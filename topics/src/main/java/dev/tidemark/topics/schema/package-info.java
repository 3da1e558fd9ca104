/**
 * The SQL that the services share: identifiers, and the tables, roles and policies generated from
 * routes.
 */
@NullMarked
package dev.tidemark.topics.schema;

import org.jspecify.annotations.NullMarked;
