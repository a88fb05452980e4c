// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import io.semel.jdbc.JdbcStore;
import io.semel.jdbc.Schema;
import io.semel.rocksdb.RocksStore;
import io.semel.store.Inspectable;
import io.semel.store.Purgeable;
import io.semel.store.Store;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store under load, and what it takes.
 *
 * @param count how many rows there are, expired ones too
 */
record Subject(String name, Store store, Callable<Long> count, Callable<Long> size, Closeable behind)
        implements AutoCloseable {

    static Subject open(String name) throws Exception {
        return switch (name) {
            case "postgresql" -> postgresql();
            case "rocksdb" -> rocksdb();
            default ->
                throw new IllegalArgumentException("There is no store '" + name + "'; say postgresql or rocksdb.");
        };
    }

    private static Subject postgresql() throws Exception {
        DurablePostgres postgres = new DurablePostgres(32);
        Schema.create(postgres.pool());
        return new Subject(
                "PostgreSQL",
                JdbcStore.on(postgres.pool()),
                () -> postgres.number("SELECT count(*) FROM semel_slot"),
                () -> postgres.number("SELECT pg_total_relation_size('semel_slot')"),
                postgres::close);
    }

    private static Subject rocksdb() throws IOException {
        Path directory = Files.createTempDirectory("semel-retention");
        RocksStore store = RocksStore.open(directory);
        return new Subject("RocksDB", store, () -> rows(store.count()), () -> bytes(directory), store::close);
    }

    private static long rows(Inspectable.Counts counts) {
        return counts.held() + counts.lapsed() + counts.unknown() + counts.settled() + counts.gone();
    }

    /** Files come and go while it looks. */
    private static long bytes(Path directory) {
        AtomicLong bytes = new AtomicLong();
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    bytes.addAndGet(attributes.size());
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException gone) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.get();
    }

    Purgeable purgeable() {
        return (Purgeable) store;
    }

    long rows() throws Exception {
        return count.call();
    }

    long bytes() throws Exception {
        return size.call();
    }

    @Override
    public void close() throws IOException {
        behind.close();
    }
}
