// SPDX-License-Identifier: Apache-2.0
/** Handlers that keep a client within bounds before its requests are handled. */
@NullMarked
package io.semel.gateway.inbound;

import org.jspecify.annotations.NullMarked;
