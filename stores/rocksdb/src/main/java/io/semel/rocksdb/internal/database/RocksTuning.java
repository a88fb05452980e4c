// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.database;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Statistics;
import org.rocksdb.WALRecoveryMode;

/** The settings of RocksDB, and their reasons. */
final class RocksTuning {

    private static final long LOG_BYTES = 256L << 20;
    private static final long ROW_BUFFER = 32L << 20;
    private static final long INDEX_BUFFER = 16L << 20;
    private static final int BLOCK = 8 << 10;
    private static final int BLOOM_BITS = 10;

    private final NativeResources natives;
    private final LRUCache cache;

    RocksTuning(NativeResources natives, DatabaseSettings settings) {
        this.natives = natives;
        this.cache = natives.add(new LRUCache(settings.cacheBytes()));
    }

    DBOptions database(DatabaseSettings settings) {
        DBOptions database = natives.add(new DBOptions());
        Statistics statistics = settings.statistics();
        if (statistics != null) {
            database.setStatistics(statistics);
        }
        return database.setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setParanoidChecks(true)
                // A log that ends in the middle of a record was torn by a crash; a log damaged elsewhere has lost
                // acknowledged writes, and is refused.
                .setWalRecoveryMode(
                        settings.isSalvaging()
                                ? WALRecoveryMode.PointInTimeRecovery
                                : WALRecoveryMode.TolerateCorruptedTailRecords)
                // Bounds the log that is replayed when the store is opened.
                .setMaxTotalWalSize(LOG_BYTES)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(2)
                .setStatsDumpPeriodSec(0);
    }

    ColumnFamilyOptions rows() {
        BlockBasedTableConfig table = table();
        table.setFilterPolicy(natives.add(new BloomFilter(BLOOM_BITS)));
        return family(table)
                .setWriteBufferSize(ROW_BUFFER)
                // Most claims are for new keys.
                .setMemtablePrefixBloomSizeRatio(0.05)
                .setMemtableWholeKeyFiltering(true);
    }

    ColumnFamilyOptions index() {
        return family(table()).setWriteBufferSize(INDEX_BUFFER);
    }

    private BlockBasedTableConfig table() {
        return new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setBlockSize(BLOCK)
                // Filters and indexes count against the cache, so that memory does not grow with the number of keys.
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true);
    }

    private ColumnFamilyOptions family(BlockBasedTableConfig table) {
        return natives.add(new ColumnFamilyOptions())
                .setTableFormatConfig(table)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION);
    }
}
