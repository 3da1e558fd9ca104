/**
 * The SQL that the services share, and what routes need on source and replica.
 *
 * <p>{@link dev.tidemark.topics.schema.CatalogReader} reads what a database holds; {@link
 * dev.tidemark.topics.schema.RouteResolver}, {@link dev.tidemark.topics.schema.SourcePlan} and
 * {@link dev.tidemark.topics.schema.ReplicaPlan} are functions from that and a route file to
 * replica tables and statements; {@link dev.tidemark.topics.schema.Migration} puts the three
 * together in one transaction. The command line calls {@link dev.tidemark.topics.schema.RoutePlans}
 * and {@link dev.tidemark.topics.schema.Migration}; the running services only {@link
 * dev.tidemark.topics.schema.Sql} and {@link dev.tidemark.topics.schema.CatalogReader}, since they
 * have no right to change tables. Connections come from the caller and are never opened here.
 */
@NullMarked
package dev.tidemark.topics.schema;

import org.jspecify.annotations.NullMarked;
