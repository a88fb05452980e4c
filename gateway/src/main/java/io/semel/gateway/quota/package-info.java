// SPDX-License-Identifier: Apache-2.0
/** Quotas: how much of the store one caller, and one address, may fill in a window of time. */
@NullMarked
package io.semel.gateway.quota;

import org.jspecify.annotations.NullMarked;
