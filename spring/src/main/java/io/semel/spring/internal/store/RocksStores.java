// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.store;

import io.semel.rocksdb.RocksStore;
import io.semel.session.SessionStore;
import io.semel.store.Store;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The embedded store; apart, because its classes may be missing. */
public final class RocksStores {

    static ApplicationStore open(Path directory) {
        return ApplicationStore.of(
                RocksStore.open(directory), "RocksDB under " + directory, "semel.rocksdb.directory is set");
    }

    /** In the same directory, and closed with it; null if that is not where the keys are. */
    public static @Nullable SessionStore sessions(Store keys, int cap) {
        return keys instanceof RocksStore store ? store.sessions(cap) : null;
    }

    private RocksStores() {}
}
