/**
 * Gated reads of replica tables. Parsing, the decision of the gate, SQL and rendering are pure;
 * {@link dev.tidemark.gateway.replica.ReplicaReader} alone talks to the database.
 */
@NullMarked
package dev.tidemark.gateway.replica;

import org.jspecify.annotations.NullMarked;
