/**
 * One named test or more for each public bug report of people who do this job with other tools:
 * what happened there must not happen here. Uses the harness, and is used by nobody.
 */
@org.jspecify.annotations.NullMarked
package dev.tidemark.tests.bugs;
