// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import io.semel.client.internal.journal.Disk;
import io.semel.client.internal.journal.IntentRecord;
import io.semel.client.internal.journal.JournalFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * IntentJournal in one file, synced before anything is sent; {@code docs/formats/intents.md} describes its bytes.
 *
 * <p>It belongs to one process at a time, is readable by its owner alone, and holds requests with their bodies, but no
 * credentials. What a crash tore off at its end was never acknowledged and is cut away; any other damage is refused.
 */
public final class FileIntentJournal implements IntentJournal, AutoCloseable {

    private final FileChannel lock;
    private final JournalFile file;
    private final Map<String, Intent> open = new LinkedHashMap<>();

    private FileIntentJournal(FileChannel lock, JournalFile file) {
        this.lock = lock;
        this.file = file;
    }

    /** Opens the file, or makes it; its directory has to be there. A file beside it, named {@code .lock}, keeps others out. */
    public static FileIntentJournal open(Path path) throws IOException {
        return open(path, Disk.LOCAL);
    }

    static FileIntentJournal open(Path path, Disk disk) throws IOException {
        FileChannel lock = lock(path);
        try {
            List<byte[]> records = new ArrayList<>();
            FileIntentJournal intents = new FileIntentJournal(lock, JournalFile.open(path, disk, records::add));
            for (byte[] each : records) {
                intents.apply(IntentRecord.read(each, path));
            }
            return intents;
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static FileChannel lock(Path path) throws IOException {
        FileChannel channel = FileChannel.open(
                path.resolveSibling(path.getFileName() + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = null;
        try {
            held = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            channel.close();
            throw new IOException("The intents in " + path + " are open in this process already; share that one.", e);
        }
        if (held == null) {
            channel.close();
            throw new IOException("The intents in " + path + " belong to another process; give each its own file.");
        }
        return channel;
    }

    private void apply(IntentRecord record) {
        Intent begun = record.begun();
        if (begun == null) {
            open.remove(record.key());
        } else {
            open.put(record.key(), begun);
        }
    }

    @Override
    public synchronized void begin(Intent intent) throws IOException {
        write(new IntentRecord(intent.key(), intent));
    }

    @Override
    public synchronized void done(String key) throws IOException {
        if (open.containsKey(key)) {
            write(new IntentRecord(key, null));
        }
    }

    private void write(IntentRecord record) throws IOException {
        file.append(record.bytes());
        apply(record);
        if (file.isWorthRewriting()) {
            List<byte[]> live = new ArrayList<>();
            open.values().forEach(intent -> live.add(new IntentRecord(intent.key(), intent).bytes()));
            file.rewrite(live);
        }
    }

    @Override
    public synchronized List<Intent> unfinished() {
        return List.copyOf(open.values());
    }

    /** Why the file could not be rewritten without what is struck out, the last time; it grows meanwhile, and is good. */
    public synchronized Optional<IOException> rewriteFailure() {
        return Optional.ofNullable(file.rewriteFailure());
    }

    @Override
    public synchronized void close() throws IOException {
        try {
            file.close();
        } finally {
            lock.close();
        }
    }
}
