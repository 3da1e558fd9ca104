/**
 * The files of an installation's data folder: its lock, its secrets, where it can be reached. Uses
 * nothing but the file system; every package of this module may call it.
 */
@NullMarked
package dev.tidemark.standalone.data;

import org.jspecify.annotations.NullMarked;
