// SPDX-License-Identifier: Apache-2.0
/** The way of one request: from its head to the recorded response. */
@NullMarked
package io.semel.gateway.exchange;

import org.jspecify.annotations.NullMarked;
