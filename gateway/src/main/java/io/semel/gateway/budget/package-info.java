// SPDX-License-Identifier: Apache-2.0
/** Memory budgets: every byte that a slow client or service makes the gateway hold is charged, and evicted when others need the room. */
@NullMarked
package io.semel.gateway.budget;

import org.jspecify.annotations.NullMarked;
