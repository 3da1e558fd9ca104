/**
 * The service of the tutorial "hand out tokens": it writes a table of its own, and knows Tidemark
 * only by a dependency.
 */
@NullMarked
package com.example.hubs;

import org.jspecify.annotations.NullMarked;
