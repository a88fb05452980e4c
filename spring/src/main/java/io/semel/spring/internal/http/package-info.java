// SPDX-License-Identifier: Apache-2.0
/** What servlet and reactive applications share about requests with an idempotency key. */
@NullMarked
package io.semel.spring.internal.http;

import org.jspecify.annotations.NullMarked;
