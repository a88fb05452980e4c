// SPDX-License-Identifier: Apache-2.0
/** Requests with an idempotency key in servlet applications. */
@NullMarked
package io.semel.spring.internal.servlet;

import org.jspecify.annotations.NullMarked;
