// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.write;

import io.semel.rocksdb.internal.database.Database;
import io.semel.rocksdb.internal.database.Disk;
import io.semel.rocksdb.internal.database.ObservedRow;
import io.semel.rocksdb.internal.format.RowId;
import io.semel.rocksdb.internal.format.StoreState;
import io.semel.store.Combiner;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/** The single writer: decides and writes in batches; requests that arrive during a commit join the next batch. */
public final class GroupWriter {

    private static final int MOST = 1024;

    private final Disk disk;
    private final StoreClock clock;
    private final Combiner<PendingWrite<?>, Boolean> combiner;

    /** The state after the last batch, and its database; read again after the database was reopened. */
    private @Nullable Database known;

    private StoreState state = StoreState.read(null);

    /** @param patience how long a caller waits for the disk; it does not hold up the one thread that writes */
    public GroupWriter(Disk disk, StoreClock clock, Duration patience) {
        this.disk = disk;
        this.clock = clock;
        this.combiner = new Combiner<>(1, MOST, Function.identity(), this::commit, patience);
    }

    public <A> A ask(PendingWrite.Decision<A> decision) {
        PendingWrite<A> write = new PendingWrite<>(decision);
        combiner.ask(write);
        return write.answer();
    }

    public ObservedRow look(RowId id) {
        Database database = disk.enter();
        try {
            return ObservedRow.of(id, database);
        } finally {
            database.leave();
        }
    }

    /** Stores the time, for a clock that may be set back before the store is opened again. */
    public void noteTime() {
        ask(batch -> batch.noteTime());
    }

    private List<Boolean> commit(List<PendingWrite<?>> pending) {
        Database database = disk.enterToWrite();
        try {
            if (database != known) {
                state = database.meta();
                known = database;
            }
            commit(pending, database);
        } finally {
            database.leave();
        }
        return Collections.nCopies(pending.size(), true);
    }

    private void commit(List<PendingWrite<?>> pending, Database database) {
        try (ChangeBatch batch = new ChangeBatch(database, state, clock)) {
            pending.forEach(each -> each.run(batch));
            if (batch.hasChanges()) {
                state = batch.commit();
            }
        } catch (RocksDBException e) {
            throw disk.failed(e);
        }
    }
}
