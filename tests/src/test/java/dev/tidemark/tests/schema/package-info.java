/**
 * What migrations do to a real PostgreSQL. {@link dev.tidemark.tests.schema.MigrationContract}
 * holds the cases; a subclass says where the cluster is, once for each version.
 */
@NullMarked
package dev.tidemark.tests.schema;

import org.jspecify.annotations.NullMarked;
