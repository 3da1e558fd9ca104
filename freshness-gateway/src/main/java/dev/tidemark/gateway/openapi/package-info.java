/** The OpenAPI description of all that the gateway answers. Knows no database and no caller. */
@NullMarked
package dev.tidemark.gateway.openapi;

import org.jspecify.annotations.NullMarked;
