// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.StoreException;
import io.semel.session.RequestState;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** RocksDB, opened: four column families, and a gate that every use has to pass. */
final class Database implements AutoCloseable {

    static {
        RocksDB.loadLibrary();
    }

    private final Natives natives;
    private final RocksDB rocks;
    private final ColumnFamilyHandle meta;
    private final ColumnFamilyHandle rows;
    private final ColumnFamilyHandle index;
    private final ColumnFamilyHandle sessions;
    private final ReadOptions reading;
    private final WriteOptions writing;
    private final Gate gate = new Gate();
    private final Recent recent = new Recent();

    static Database open(Path path, RocksOptions options) throws RocksDBException {
        return open(path, options, RocksDB::open);
    }

    static Database openReadOnly(Path path, RocksOptions options) throws RocksDBException {
        return open(path, options, RocksDB::openReadOnly);
    }

    private static Database open(Path path, RocksOptions options, Opening opening) throws RocksDBException {
        Natives natives = new Natives();
        try {
            return new Database(natives, path, options, opening);
        } catch (RocksDBException | RuntimeException e) {
            natives.close();
            throw e;
        }
    }

    private Database(Natives natives, Path path, RocksOptions options, Opening opening) throws RocksDBException {
        this.natives = natives;
        Tuning tuning = new Tuning(natives, options);
        List<ColumnFamilyDescriptor> families = List.of(
                new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, tuning.index()),
                new ColumnFamilyDescriptor("slots".getBytes(StandardCharsets.UTF_8), tuning.rows()),
                new ColumnFamilyDescriptor("index".getBytes(StandardCharsets.UTF_8), tuning.index()),
                new ColumnFamilyDescriptor("sessions".getBytes(StandardCharsets.UTF_8), tuning.rows()));
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        this.rocks = natives.add(opening.open(tuning.database(options), path.toString(), families, handles));
        handles.forEach(natives::add);
        this.meta = handles.get(0);
        this.rows = handles.get(1);
        this.index = handles.get(2);
        this.sessions = handles.get(3);
        this.reading = natives.add(new ReadOptions());
        this.writing = natives.add(new WriteOptions()).setSync(options.isSynced());
    }

    /** False once it is closed; whoever is let in leaves again. */
    boolean enter() {
        return gate.enter();
    }

    void leave() {
        gate.leave();
    }

    Recent recent() {
        return recent;
    }

    @Nullable
    Row row(Id id) {
        return row(id, reading);
    }

    @Nullable
    Row row(Id id, ReadOptions options) {
        byte[] bytes = get(rows, options, id.bytes());
        return bytes == null ? null : Row.read(bytes);
    }

    Meta meta() {
        return meta(reading);
    }

    Meta meta(ReadOptions options) {
        return Meta.read(get(meta, options, Meta.KEY));
    }

    Census census() {
        return census(reading);
    }

    Census census(ReadOptions options) {
        return Census.read(get(meta, options, Census.KEY));
    }

    @Nullable
    SessionRow session(Id id) {
        return session(id, reading);
    }

    @Nullable
    SessionRow session(Id id, ReadOptions options) {
        byte[] bytes = get(sessions, options, SessionPlace.session(id));
        return bytes == null ? null : SessionRow.read(bytes);
    }

    @Nullable
    RequestState request(Id id, long number) {
        byte[] bytes = get(sessions, reading, SessionPlace.request(id, number));
        return bytes == null ? null : RequestRow.read(bytes);
    }

    /** The sessions of a scope that are listed as live. */
    Set<Id> sessionsOf(Id scope) {
        return sessionsOf(scope, reading);
    }

    Set<Id> sessionsOf(Id scope, ReadOptions options) {
        Set<Id> all = new LinkedHashSet<>();
        try (RocksIterator entries = sessionEntries(options)) {
            entries.seek(SessionPlace.ofScope(scope, Id.LOWEST));
            for (Id each = SessionPlace.ofScope(scope, entries);
                    each != null;
                    each = SessionPlace.ofScope(scope, entries)) {
                all.add(each);
                entries.next();
            }
            entries.status();
        } catch (RocksDBException e) {
            throw unreadable(e);
        }
        return all;
    }

    RocksIterator sessionEntries() {
        return sessionEntries(reading);
    }

    RocksIterator sessionEntries(ReadOptions options) {
        return rocks.newIterator(sessions, options);
    }

    RocksIterator indexes() {
        return indexes(reading);
    }

    RocksIterator indexes(ReadOptions options) {
        return rocks.newIterator(index, options);
    }

    /** A view that stays as it is while others write. */
    Snapshot snapshot() {
        return rocks.getSnapshot();
    }

    void release(Snapshot snapshot) {
        rocks.releaseSnapshot(snapshot);
    }

    long size() {
        try {
            return rocks.getAggregatedLongProperty("rocksdb.live-sst-files-size")
                    + rocks.getAggregatedLongProperty("rocksdb.size-all-mem-tables");
        } catch (RocksDBException e) {
            throw unreadable(e);
        }
    }

    void write(WriteBatch batch) throws RocksDBException {
        rocks.write(writing, batch);
    }

    ColumnFamilyHandle metaFamily() {
        return meta;
    }

    ColumnFamilyHandle rowFamily() {
        return rows;
    }

    ColumnFamilyHandle sessionFamily() {
        return sessions;
    }

    ColumnFamilyHandle indexFamily() {
        return index;
    }

    /** Waits for those who are in. */
    @Override
    public void close() {
        gate.shut();
        natives.close();
    }

    static StoreException unreadable(RocksDBException cause) {
        return StoreException.changedNothing(
                "What is stored cannot be read: " + cause.getMessage()
                        + ". Check the disk; if a file is damaged, restore the directory from a backup.",
                cause);
    }

    private byte @Nullable [] get(ColumnFamilyHandle family, ReadOptions options, byte[] key) {
        try {
            return rocks.get(family, options, key);
        } catch (RocksDBException e) {
            throw unreadable(e);
        }
    }

    private interface Opening {
        RocksDB open(
                DBOptions options, String path, List<ColumnFamilyDescriptor> families, List<ColumnFamilyHandle> handles)
                throws RocksDBException;
    }
}
