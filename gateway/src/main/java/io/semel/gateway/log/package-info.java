// SPDX-License-Identifier: Apache-2.0
/** The access log, written without delaying requests, and rate-limited warnings. */
@NullMarked
package io.semel.gateway.log;

import org.jspecify.annotations.NullMarked;
