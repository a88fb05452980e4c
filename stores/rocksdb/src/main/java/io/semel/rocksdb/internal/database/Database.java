// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.database;

import io.semel.StoreException;
import io.semel.rocksdb.internal.format.RequestRow;
import io.semel.rocksdb.internal.format.RowId;
import io.semel.rocksdb.internal.format.SessionCounts;
import io.semel.rocksdb.internal.format.SessionKeys;
import io.semel.rocksdb.internal.format.SessionRow;
import io.semel.rocksdb.internal.format.SlotRow;
import io.semel.rocksdb.internal.format.StoreState;
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

/** An open RocksDB: four column families, and a gate that every use has to pass. */
public final class Database implements AutoCloseable {

    static {
        RocksDB.loadLibrary();
    }

    private final NativeResources natives;
    private final RocksDB rocks;
    private final ColumnFamilyHandle meta;
    private final ColumnFamilyHandle rows;
    private final ColumnFamilyHandle index;
    private final ColumnFamilyHandle sessions;
    private final ReadOptions reading;
    private final WriteOptions writing;
    private final Gate gate = new Gate();
    private final RecentRows recent = new RecentRows();

    public static Database open(Path path, DatabaseSettings settings) throws RocksDBException {
        return open(path, settings, RocksDB::open);
    }

    static Database openReadOnly(Path path, DatabaseSettings settings) throws RocksDBException {
        return open(path, settings, RocksDB::openReadOnly);
    }

    private static Database open(Path path, DatabaseSettings settings, Opening opening) throws RocksDBException {
        NativeResources natives = new NativeResources();
        try {
            return new Database(natives, path, settings, opening);
        } catch (RocksDBException | RuntimeException e) {
            natives.close();
            throw e;
        }
    }

    private Database(NativeResources natives, Path path, DatabaseSettings settings, Opening opening)
            throws RocksDBException {
        this.natives = natives;
        RocksTuning tuning = new RocksTuning(natives, settings);
        List<ColumnFamilyDescriptor> families = List.of(
                new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, tuning.index()),
                new ColumnFamilyDescriptor("slots".getBytes(StandardCharsets.UTF_8), tuning.rows()),
                new ColumnFamilyDescriptor("index".getBytes(StandardCharsets.UTF_8), tuning.index()),
                new ColumnFamilyDescriptor("sessions".getBytes(StandardCharsets.UTF_8), tuning.rows()));
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        this.rocks = natives.add(opening.open(tuning.database(settings), path.toString(), families, handles));
        handles.forEach(natives::add);
        this.meta = handles.get(0);
        this.rows = handles.get(1);
        this.index = handles.get(2);
        this.sessions = handles.get(3);
        this.reading = natives.add(new ReadOptions());
        this.writing = natives.add(new WriteOptions()).setSync(settings.isSynced());
    }

    /** False once it is closed; otherwise the caller must leave again. */
    boolean enter() {
        return gate.enter();
    }

    public void leave() {
        gate.leave();
    }

    public RecentRows recent() {
        return recent;
    }

    @Nullable
    public SlotRow row(RowId id) {
        return row(id, reading);
    }

    @Nullable
    public SlotRow row(RowId id, ReadOptions options) {
        byte[] bytes = get(rows, options, id.bytes());
        return bytes == null ? null : SlotRow.read(bytes);
    }

    public StoreState meta() {
        return meta(reading);
    }

    public StoreState meta(ReadOptions options) {
        return StoreState.read(get(meta, options, StoreState.KEY));
    }

    public SessionCounts counts() {
        return counts(reading);
    }

    public SessionCounts counts(ReadOptions options) {
        return SessionCounts.read(get(meta, options, SessionCounts.KEY));
    }

    @Nullable
    public SessionRow session(RowId id) {
        return session(id, reading);
    }

    @Nullable
    public SessionRow session(RowId id, ReadOptions options) {
        byte[] bytes = get(sessions, options, SessionKeys.session(id));
        return bytes == null ? null : SessionRow.read(bytes);
    }

    @Nullable
    public RequestState request(RowId id, long number) {
        byte[] bytes = get(sessions, reading, SessionKeys.request(id, number));
        return bytes == null ? null : RequestRow.read(bytes);
    }

    /** The sessions of a scope that are listed as live. */
    public Set<RowId> sessionsOf(RowId scope) {
        return sessionsOf(scope, reading);
    }

    public Set<RowId> sessionsOf(RowId scope, ReadOptions options) {
        Set<RowId> all = new LinkedHashSet<>();
        try (RocksIterator entries = sessionEntries(options)) {
            entries.seek(SessionKeys.ofScope(scope, RowId.LOWEST));
            for (RowId each = SessionKeys.ofScope(scope, entries);
                    each != null;
                    each = SessionKeys.ofScope(scope, entries)) {
                all.add(each);
                entries.next();
            }
            entries.status();
        } catch (RocksDBException e) {
            throw unreadable(e);
        }
        return all;
    }

    public RocksIterator sessionEntries() {
        return sessionEntries(reading);
    }

    public RocksIterator sessionEntries(ReadOptions options) {
        return rocks.newIterator(sessions, options);
    }

    public RocksIterator indexes() {
        return indexes(reading);
    }

    public RocksIterator indexes(ReadOptions options) {
        return rocks.newIterator(index, options);
    }

    /** A view that stays unchanged while writes continue. */
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

    public void write(WriteBatch batch) throws RocksDBException {
        rocks.write(writing, batch);
    }

    public ColumnFamilyHandle metaFamily() {
        return meta;
    }

    public ColumnFamilyHandle rowFamily() {
        return rows;
    }

    public ColumnFamilyHandle sessionFamily() {
        return sessions;
    }

    public ColumnFamilyHandle indexFamily() {
        return index;
    }

    /** Waits for calls in progress. */
    @Override
    public void close() {
        gate.shut();
        natives.close();
    }

    public static StoreException unreadable(RocksDBException cause) {
        return StoreException.changedNothing(
                "Stored data cannot be read: " + cause.getMessage()
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
