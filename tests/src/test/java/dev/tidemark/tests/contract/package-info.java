/**
 * The HTTP contract, asked for over real HTTP of real gateways on real databases: every row of it,
 * every problem type, and every answer of the OpenAPI description.
 *
 * <p>{@code ContractTest} is the suite. Its classes send every request through {@code
 * ContractCaller}, which checks the answer against the description and writes down which of the
 * described answers was given; at the end of the suite none may be missing.
 */
@NullMarked
package dev.tidemark.tests.contract;

import org.jspecify.annotations.NullMarked;
