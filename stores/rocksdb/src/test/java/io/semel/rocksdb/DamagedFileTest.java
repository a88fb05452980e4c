// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.StoreException;
import io.semel.store.Claim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Wherever a byte of a data file is wrong, the store says so or answers right; it never grants what was settled (S9). */
class DamagedFileTest {

    private static final int KEYS = 40;

    @Test
    void aDamagedFileNeverLeadsToAWrongAnswer() throws IOException {
        Path directory = Directories.fresh();
        try (RocksStore store = RocksStore.open(directory)) {
            for (int i = 0; i < KEYS; i++) {
                TornLogTest.settle(store, TornLogTest.key(i));
            }
        }
        // Opening it again brings the log into data files.
        RocksStore.open(directory).close();
        int told = 0;
        for (Path file : Directories.files(directory, ".sst")) {
            for (long at = 0; at < Files.size(file); at += 211) {
                told += damage(directory, file, at);
            }
        }
        assertThat(told).as("damages that were told").isGreaterThan(5);
        Directories.delete(directory);
    }

    /** One if the damage was told. */
    private static int damage(Path directory, Path file, long at) throws IOException {
        Path copy = Directories.copy(directory);
        TornLogTest.flip(copy.resolve(directory.relativize(file).toString()), at);
        try (RocksStore store = RocksStore.open(copy)) {
            return ask(store);
        } catch (StoreException told) {
            assertThat(told).hasMessageContaining("cannot be");
            return 1;
        } finally {
            Directories.delete(copy);
        }
    }

    private static int ask(RocksStore store) {
        int told = 0;
        for (int i = 0; i < KEYS; i++) {
            try {
                Claim claim = store.claim(Victim.call(TornLogTest.key(i)), "retry", Victim.LEASE);
                assertThat(((Claim.Settled) claim).result()).isEqualTo(Victim.result(TornLogTest.key(i)));
            } catch (StoreException e) {
                assertThat(e).hasMessageContaining("cannot be read");
                told = 1;
            }
        }
        return told;
    }
}
