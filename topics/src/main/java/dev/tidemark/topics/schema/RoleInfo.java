package dev.tidemark.topics.schema;

/**
 * A role of the cluster.
 *
 * @param login whether it may connect
 * @param replication whether it may read the log
 * @param unbound whether it is superuser or has BYPASSRLS, so that no policy binds it
 */
public record RoleInfo(boolean login, boolean replication, boolean unbound) {}
