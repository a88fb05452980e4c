// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some names that SCAN found.
 *
 * @param next where to go on; null at the end
 */
record Slice(List<byte[]> names, @Nullable String next) {}
