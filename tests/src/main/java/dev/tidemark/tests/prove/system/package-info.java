/**
 * The Tidemark under test: embedded servers, roles as child processes, the gateway in this JVM;
 * called by everything that talks to it, breaks it or heals it.
 */
@NullMarked
package dev.tidemark.tests.prove.system;

import org.jspecify.annotations.NullMarked;
