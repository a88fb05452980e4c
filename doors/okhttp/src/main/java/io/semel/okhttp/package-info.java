// SPDX-License-Identifier: Apache-2.0
/** Idempotency keys for clients on OkHttp. */
@NullMarked
package io.semel.okhttp;

import org.jspecify.annotations.NullMarked;
