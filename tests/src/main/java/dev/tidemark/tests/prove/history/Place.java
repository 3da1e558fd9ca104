package dev.tidemark.tests.prove.history;

/**
 * A replica table as one tenant sees it.
 *
 * @param target the replica table
 * @param tenant the tenant; {@code *} of a table that all share
 */
public record Place(String target, String tenant) {}
