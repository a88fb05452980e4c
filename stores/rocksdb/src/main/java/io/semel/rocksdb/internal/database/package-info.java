// SPDX-License-Identifier: Apache-2.0
/** The open RocksDB, its directory, and consistent views of it; not for use outside this module. */
@NullMarked
package io.semel.rocksdb.internal.database;

import org.jspecify.annotations.NullMarked;
