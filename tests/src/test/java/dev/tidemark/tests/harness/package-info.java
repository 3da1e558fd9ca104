/**
 * What end-to-end tests stand on: two PostgreSQL clusters and a broker for the whole JVM ({@code
 * Servers}), and a pipeline with databases, slot and topics of its own for each test ({@code
 * TestPipeline}).
 */
@NullMarked
package dev.tidemark.tests.harness;

import org.jspecify.annotations.NullMarked;
