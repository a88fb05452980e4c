// SPDX-License-Identifier: Apache-2.0
/** Prepares requests: their bodies, and the headers that carry a key or number. */
@NullMarked
package io.semel.client.internal.request;

import org.jspecify.annotations.NullMarked;
