package dev.tidemark.topics.schema;

/**
 * A right on a table.
 *
 * @param role the role that has it
 * @param privilege the privilege in upper case, such as {@code SELECT}
 */
public record Grant(String role, String privilege) {}
