// SPDX-License-Identifier: Apache-2.0
/** Requests with an idempotency key in reactive applications. */
@NullMarked
package io.semel.spring.internal.reactive;

import org.jspecify.annotations.NullMarked;
