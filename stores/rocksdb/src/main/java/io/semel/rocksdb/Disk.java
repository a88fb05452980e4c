// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.StoreException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * The database as it is now. After a write that failed it is only read, until there is room on the disk again: then it is
 * opened anew, because only its files tell what became of that write.
 */
final class Disk implements AutoCloseable {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

    private final Home home;
    private final RocksOptions options;
    private volatile Database database;
    private volatile boolean closed;
    private volatile @Nullable Throwable fault;
    private long nextTry;

    Disk(Home home, RocksOptions options) {
        this.home = home;
        this.options = options;
        home.prepare();
        this.database = open();
        takeOwnership();
    }

    private void takeOwnership() {
        try {
            home.takeOwnership();
        } catch (StoreException e) {
            database.close();
            throw e;
        }
    }

    private Database open() {
        try {
            return Database.open(home.data(), options);
        } catch (RocksDBException e) {
            throw unopened(e);
        }
    }

    private StoreException unopened(RocksDBException e) {
        String reason = String.valueOf(e.getMessage());
        if (reason.contains("While lock file") || reason.contains("lock hold by current process")) {
            return StoreException.changedNothing(
                    "The store in " + home + " is already open, by " + home.owner()
                            + ". Stop that process, or give this one a directory of its own.",
                    e);
        }
        String advice = reason.contains("No space left")
                ? "Make room on the disk, and open it again."
                : "If its log is damaged, restore the directory from a backup, or open it with"
                        + " RocksOptions.salvaging() and lose what came after the damage.";
        return StoreException.changedNothing(
                "The store in " + home + " cannot be opened: " + reason + ". " + advice, e);
    }

    /** To read from; whoever gets it leaves it again. */
    Database enter() {
        Database now = database;
        if (now.enter()) {
            return now;
        }
        throw closed
                ? closed()
                : StoreException.changedNothing(
                        "The store in " + home + " is being opened again after a failed write; ask again.", null);
    }

    /** To write to; only for the one writer, which leaves it again. */
    Database enterToWrite() {
        if (fault != null) {
            recover();
        }
        return enter();
    }

    /** A write failed, so nobody knows what is in the files. */
    StoreException failed(RocksDBException cause) {
        fault = cause;
        nextTry = System.nanoTime();
        return new StoreException(
                "A write to the store in " + home + " failed, and whether it will be found there is not known: "
                        + cause.getMessage() + ". The store is read-only until the disk takes writes again.",
                cause);
    }

    private synchronized void recover() {
        if (System.nanoTime() - nextTry < 0 || closed || !home.hasRoom()) {
            throw readOnly();
        }
        nextTry = System.nanoTime() + PAUSE;
        database.close();
        try {
            database = Database.open(home.data(), options);
            fault = null;
        } catch (RocksDBException e) {
            fault = e;
            readOnlyAtLeast(e);
            throw readOnly();
        }
    }

    private void readOnlyAtLeast(RocksDBException cause) {
        try {
            database = Database.openReadOnly(home.data(), options);
        } catch (RocksDBException e) {
            cause.addSuppressed(e);
        }
    }

    private StoreException readOnly() {
        return StoreException.changedNothing(
                "The store in " + home + " is read-only since a write failed: "
                        + (fault == null ? "unknown" : fault.getMessage())
                        + ". Make room on the disk; the store then goes on by itself.",
                fault);
    }

    private StoreException closed() {
        return StoreException.changedNothing("The store in " + home + " is closed; open it again to use it.", null);
    }

    boolean isWritable() {
        return fault == null && !closed;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            home.giveUpOwnership();
        } finally {
            database.close();
        }
    }
}
