// SPDX-License-Identifier: Apache-2.0
/** Idempotency for HTTP without any server's API: the servlet filter, the WebFlux filter and the gateway share it. */
@NullMarked
package io.semel.http;

import org.jspecify.annotations.NullMarked;
