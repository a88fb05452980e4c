// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.rocksdb.RocksStore;
import java.nio.file.Path;

/** The embedded store; apart, because its classes may be missing. */
final class RocksBacking {

    static Backing open(Path directory) {
        return Backing.of(RocksStore.open(directory), "RocksDB under " + directory, "semel.rocksdb.directory is set");
    }

    private RocksBacking() {}
}
