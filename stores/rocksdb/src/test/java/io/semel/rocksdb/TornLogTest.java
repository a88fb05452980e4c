// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Key;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A log that ends too early was torn by a crash and is taken; one with wrong bytes lost something and is refused. */
class TornLogTest {

    private static final int KEYS = 6;

    private final Path directory = Directories.fresh();
    /** How long the log was when each of the keys was settled. */
    private final List<Long> settledAt = new ArrayList<>();

    @BeforeEach
    void settleSomeKeys() throws IOException {
        try (RocksStore store = RocksStore.open(directory)) {
            for (int i = 0; i < KEYS; i++) {
                settle(store, key(i));
                settledAt.add(Files.size(log(directory)));
            }
        }
    }

    @AfterEach
    void clean() {
        Directories.delete(directory);
    }

    @Test
    void aTornLogLosesNothingThatWasAcknowledgedBefore() throws IOException {
        long end = Files.size(log(directory));
        for (long length = settledAt.get(0); length <= end; length += 61) {
            Path copy = Directories.copy(directory);
            truncate(log(copy), length);
            try (RocksStore store = RocksStore.open(copy)) {
                expectSettledUpTo(store, length);
                settle(store, key(KEYS));
            }
            try (RocksStore store = RocksStore.open(copy)) {
                expectSettledUpTo(store, length);
                expectAnswer(store, key(KEYS));
            }
            Directories.delete(copy);
        }
    }

    private void expectSettledUpTo(RocksStore store, long length) {
        for (int i = 0; i < KEYS; i++) {
            if (settledAt.get(i) <= length) {
                expectAnswer(store, key(i));
            }
        }
    }

    @Test
    void aDamagedLogIsRefusedUnlessItIsSalvaged() throws IOException {
        flip(log(directory), settledAt.get(2) - 20);

        assertThatThrownBy(() -> RocksStore.open(directory))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(directory.toString())
                .hasMessageContaining("salvaging()");
        try (RocksStore store = RocksStore.open(directory, RocksOptions.DEFAULT.salvaging())) {
            expectAnswer(store, key(0));
            expectAnswer(store, key(1));
        }
        try (RocksStore store = RocksStore.open(directory)) {
            expectAnswer(store, key(1));
        }
    }

    private static Path log(Path directory) {
        List<Path> logs = Directories.files(directory, ".log");
        return logs.get(logs.size() - 1);
    }

    private static void truncate(Path file, long length) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(length);
        }
    }

    static void flip(Path file, long position) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(position);
            int old = bytes.read();
            bytes.seek(position);
            bytes.write(old ^ 0x10);
        }
    }

    static Key key(int number) {
        return Victim.key("key " + number);
    }

    static void settle(RocksStore store, Key key) {
        long fence = ((Claim.Granted) store.claim(Victim.call(key), "holder", Victim.LEASE)).fence();
        Settlement complete = new Settlement.Complete(Victim.result(key), Retention.DEFAULT);
        assertThat(store.settle(key, "holder", fence, complete)).isTrue();
    }

    static void expectAnswer(RocksStore store, Key key) {
        Claim claim = store.claim(Victim.call(key), "retry", Victim.LEASE);
        assertThat(claim).isInstanceOf(Claim.Settled.class);
        assertThat(((Claim.Settled) claim).result()).isEqualTo(Victim.result(key));
    }
}
