/** From source changes to operations on replica rows: functions over values, without a database. */
@NullMarked
package dev.tidemark.projector.row;

import org.jspecify.annotations.NullMarked;
