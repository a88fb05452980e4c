// SPDX-License-Identifier: Apache-2.0
/** Idempotency for Spring WebFlux: a filter that records an answer before its first byte is sent, and blocks no event loop. */
@NullMarked
package io.semel.webflux;

import org.jspecify.annotations.NullMarked;
