/** Figures and how they are told: statistics, the table, the goals, JSON. Pure functions. */
@NullMarked
package dev.tidemark.tests.bench.report;

import org.jspecify.annotations.NullMarked;
