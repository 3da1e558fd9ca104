/**
 * {@code freshness-client} with a whole Tidemark behind it: the tokens of other people's services,
 * and the programs of the tutorials.
 */
@NullMarked
package dev.tidemark.tests.client;

import org.jspecify.annotations.NullMarked;
