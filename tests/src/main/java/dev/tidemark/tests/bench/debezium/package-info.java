/**
 * The program of the bare Debezium, which runs in a process of its own without capture's classes:
 * it must meet Debezium's own classes where capture's stand in their place. Called by its {@code
 * main} only.
 */
@NullMarked
package dev.tidemark.tests.bench.debezium;

import org.jspecify.annotations.NullMarked;
