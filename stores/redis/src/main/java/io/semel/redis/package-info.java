// SPDX-License-Identifier: Apache-2.0
/** A store in Redis: one script call per claim and per settle, many of them in one round trip. */
@NullMarked
package io.semel.redis;

import org.jspecify.annotations.NullMarked;
