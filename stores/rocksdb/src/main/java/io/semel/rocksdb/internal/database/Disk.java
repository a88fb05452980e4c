// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.database;

import io.semel.StoreException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * The open database. After a failed write it is read-only until the disk has room again; then it is reopened, because
 * only its files tell whether that write happened.
 */
public final class Disk implements AutoCloseable {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

    private final StoreDirectory directory;
    private final DatabaseSettings settings;
    private volatile Database database;
    private volatile boolean closed;
    private volatile @Nullable Throwable fault;
    private long nextTry;

    public Disk(StoreDirectory directory, DatabaseSettings settings) {
        this.directory = directory;
        this.settings = settings;
        directory.prepare();
        this.database = open();
        takeOwnership();
    }

    private void takeOwnership() {
        try {
            directory.takeOwnership();
        } catch (StoreException e) {
            database.close();
            throw e;
        }
    }

    private Database open() {
        try {
            return Database.open(directory.data(), settings);
        } catch (RocksDBException e) {
            throw unopened(e);
        }
    }

    private StoreException unopened(RocksDBException e) {
        String reason = String.valueOf(e.getMessage());
        if (reason.contains("While lock file") || reason.contains("lock hold by current process")) {
            return StoreException.changedNothing(
                    "The store in " + directory + " is already open, by " + directory.owner()
                            + ". Stop that process, or give this one a directory of its own.",
                    e);
        }
        String advice = reason.contains("No space left")
                ? "Make room on the disk, and open it again."
                : "If its log is damaged, restore the directory from a backup, or open it with"
                        + " RocksOptions.salvaging() and lose everything written after the damage.";
        return StoreException.changedNothing(
                "The store in " + directory + " cannot be opened: " + reason + ". " + advice, e);
    }

    /** For reading; the caller must leave the database again. */
    public Database enter() {
        Database now = database;
        if (now.enter()) {
            return now;
        }
        throw closed
                ? closed()
                : StoreException.changedNothing(
                        "The store in " + directory + " is being reopened after a failed write; try again.", null);
    }

    /** For writing, by the single writer only, which must leave the database again. */
    public Database enterToWrite() {
        if (fault != null) {
            recover();
        }
        return enter();
    }

    /** After a failed write the contents of the files are unknown. */
    public StoreException failed(RocksDBException cause) {
        fault = cause;
        nextTry = System.nanoTime();
        return new StoreException(
                "A write to the store in " + directory + " failed, and it is unknown whether the data was written: "
                        + cause.getMessage() + ". The store is read-only until the disk takes writes again.",
                cause);
    }

    private synchronized void recover() {
        if (System.nanoTime() - nextTry < 0 || closed || !directory.hasRoom()) {
            throw readOnly();
        }
        nextTry = System.nanoTime() + PAUSE;
        database.close();
        try {
            database = Database.open(directory.data(), settings);
            fault = null;
        } catch (RocksDBException e) {
            fault = e;
            readOnlyAtLeast(e);
            throw readOnly();
        }
    }

    private void readOnlyAtLeast(RocksDBException cause) {
        try {
            database = Database.openReadOnly(directory.data(), settings);
        } catch (RocksDBException e) {
            cause.addSuppressed(e);
        }
    }

    private StoreException readOnly() {
        return StoreException.changedNothing(
                "The store in " + directory + " has been read-only since a write failed: "
                        + (fault == null ? "unknown" : fault.getMessage())
                        + ". Make room on the disk; the store then goes on by itself.",
                fault);
    }

    private StoreException closed() {
        return StoreException.changedNothing(
                "The store in " + directory + " is closed; open it again to use it.", null);
    }

    public boolean isWritable() {
        return fault == null && !closed;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            directory.giveUpOwnership();
        } finally {
            database.close();
        }
    }
}
