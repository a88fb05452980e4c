// SPDX-License-Identifier: Apache-2.0
/** Counters and records of the requests that pass through the gateway. */
@NullMarked
package io.semel.gateway.traffic;

import org.jspecify.annotations.NullMarked;
