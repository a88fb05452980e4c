// SPDX-License-Identifier: Apache-2.0
/** Sockets, TLS and timers. */
@NullMarked
package io.semel.gateway.net;

import org.jspecify.annotations.NullMarked;
