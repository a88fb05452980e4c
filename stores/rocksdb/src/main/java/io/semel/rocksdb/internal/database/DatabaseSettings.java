// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.database;

import org.jspecify.annotations.Nullable;
import org.rocksdb.Statistics;

/**
 * The settings of a database.
 *
 * @param isSalvaging whether a damaged log is opened with what precedes the damage
 */
public record DatabaseSettings(
        boolean isSynced,
        long cacheBytes,
        boolean isSalvaging,
        @Nullable Statistics statistics) {}
