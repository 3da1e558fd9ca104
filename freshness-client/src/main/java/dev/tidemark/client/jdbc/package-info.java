/**
 * For a service that writes to the source with JDBC: the position of its own commit. Knows {@code
 * java.sql} alone; pgjdbc is asked by reflection whether a transaction is open, where it is the
 * driver.
 */
@NullMarked
package dev.tidemark.client.jdbc;

import org.jspecify.annotations.NullMarked;
