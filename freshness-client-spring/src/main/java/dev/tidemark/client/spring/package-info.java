/**
 * Spring Boot's auto-configuration of {@code freshness-client}: the filter, and a listener that
 * tells its recorder of Spring's commits. Used by nobody but Spring Boot. It knows Spring, and of
 * Tidemark {@code dev.tidemark.client} alone.
 */
@NullMarked
package dev.tidemark.client.spring;

import org.jspecify.annotations.NullMarked;
