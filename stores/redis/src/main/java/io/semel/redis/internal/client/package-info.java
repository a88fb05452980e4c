// SPDX-License-Identifier: Apache-2.0
/** The clients that run the scripts, and the check of their servers; not for use outside this module. */
@NullMarked
package io.semel.redis.internal.client;

import org.jspecify.annotations.NullMarked;
