/**
 * Who calls: signed claims become a caller, and permissions are checked. Knows Spring Security, no
 * database.
 */
@NullMarked
package dev.tidemark.gateway.auth;

import org.jspecify.annotations.NullMarked;
