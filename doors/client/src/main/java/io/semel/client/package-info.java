// SPDX-License-Identifier: Apache-2.0
/** An HTTP client that repeats a request under one key until it has an answer, and says what is known when it has none. */
@NullMarked
package io.semel.client;

import org.jspecify.annotations.NullMarked;
