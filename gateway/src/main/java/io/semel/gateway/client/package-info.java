// SPDX-License-Identifier: Apache-2.0
/** Requests that the gateway sends on its own behalf, to services of its operator. */
@NullMarked
package io.semel.gateway.client;

import org.jspecify.annotations.NullMarked;
