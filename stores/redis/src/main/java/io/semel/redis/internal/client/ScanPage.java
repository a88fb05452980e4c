// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some names found by SCAN.
 *
 * @param next the position to continue at; null at the end
 */
public record ScanPage(List<byte[]> names, @Nullable String next) {}
