// SPDX-License-Identifier: Apache-2.0
package io.semel.client.internal.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An append-only file of records, each synced before it counts; rewritten when most of it is of no use any more. */
public final class JournalFile implements Closeable {

    private static final long SMALLEST_REWRITE = 1 << 20;

    private final Path path;
    private final Disk disk;
    private Disk.Tail tail;
    private JournalFormat format;
    private long length;
    private long rewriteAt = SMALLEST_REWRITE;
    private @Nullable IOException broken;
    private @Nullable IOException rewriteFailure;

    private JournalFile(Path path, Disk disk, Disk.Tail tail, JournalFormat format, long length) {
        this.path = path;
        this.disk = disk;
        this.tail = tail;
        this.format = format;
        this.length = length;
    }

    public static JournalFile open(Path path, Disk disk, Consumer<byte[]> record) throws IOException {
        if (!Files.exists(path) || Files.size(path) == 0) {
            return create(path, disk);
        }
        byte[] bytes = Files.readAllBytes(path);
        JournalFormat format = JournalFormat.of(bytes, path);
        int good = format.scan(bytes, path, record);
        Disk.Tail tail = disk.open(path);
        JournalFile file = new JournalFile(path, disk, tail, format, good);
        if (good < bytes.length) {
            file.cutTornTail();
        }
        return file;
    }

    private static JournalFile create(Path path, Disk disk) throws IOException {
        JournalFormat format = JournalFormat.fresh();
        Disk.Tail tail = draft(path, disk, format, List.of());
        try {
            disk.replace(draftOf(path), path);
        } catch (IOException e) {
            tail.close();
            throw e;
        }
        return new JournalFile(path, disk, tail, format, JournalFormat.HEADER);
    }

    private void cutTornTail() throws IOException {
        try {
            tail.cut(length);
            tail.sync();
        } catch (IOException e) {
            tail.close();
            throw e;
        }
    }

    public void append(byte[] record) throws IOException {
        if (broken != null) {
            throw new IOException(
                    "The journal " + path + " failed before (" + broken.getMessage()
                            + ") and may not say what is on the disk; open it anew.",
                    broken);
        }
        byte[] framed = format.frame(record);
        try {
            tail.write(length, framed);
        } catch (IOException e) {
            undo(e);
            throw e;
        }
        try {
            tail.sync();
        } catch (IOException e) {
            // What a failed sync has left on the disk nobody knows, and the next one may say that all is well.
            broken = e;
            undo(e);
            throw e;
        }
        length += framed.length;
    }

    /** Takes back what was half written, so that what was refused is not found again, and nothing is appended to it. */
    private void undo(IOException failure) {
        try {
            tail.cut(length);
            tail.sync();
        } catch (IOException e) {
            failure.addSuppressed(e);
            broken = failure;
        }
    }

    public boolean isWorthRewriting() {
        return length >= rewriteAt;
    }

    /** Keeps only these records. If there is no room for them, the old file goes on growing, and is good. */
    public void rewrite(List<byte[]> live) {
        JournalFormat fresh = JournalFormat.fresh();
        Disk.Tail draft;
        try {
            draft = draft(path, disk, fresh, live);
        } catch (IOException e) {
            rewriteFailure = e;
            rewriteAt = 2 * length;
            return;
        }
        Disk.Tail old = tail;
        tail = draft;
        format = fresh;
        length = JournalFormat.HEADER
                + live.stream().mapToLong(fresh::framedLength).sum();
        rewriteAt = Math.max(SMALLEST_REWRITE, 2 * length);
        try {
            disk.replace(draftOf(path), path);
            old.close();
        } catch (IOException e) {
            // Which of the two files a crash would leave is not known; both are good, but only one can be appended to.
            broken = e;
        }
        rewriteFailure = broken;
    }

    /** Why the file could not be made smaller the last time; null if it could. */
    @Nullable
    public IOException rewriteFailure() {
        return rewriteFailure;
    }

    private static Path draftOf(Path path) {
        return path.resolveSibling(path.getFileName() + ".new");
    }

    private static Disk.Tail draft(Path path, Disk disk, JournalFormat format, List<byte[]> records)
            throws IOException {
        disk.create(draftOf(path));
        Disk.Tail tail = disk.open(draftOf(path));
        try {
            tail.write(0, format.header());
            long at = JournalFormat.HEADER;
            for (byte[] record : records) {
                byte[] framed = format.frame(record);
                tail.write(at, framed);
                at += framed.length;
            }
            tail.sync();
            return tail;
        } catch (IOException e) {
            tail.close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        tail.close();
    }
}
