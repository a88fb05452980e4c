// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A file that is set aside when it is full and begun anew when it was moved away. For one thread. */
final class RotatingFile implements LogSink {

    private final Path file;
    private final long full;
    private final int kept;
    private @Nullable FileChannel channel;
    private @Nullable Object identity;

    /** @param kept how many full ones stay beside it, as {@code .1} and so on */
    RotatingFile(Path file, long full, int kept) throws IOException {
        this.file = file.toAbsolutePath();
        this.full = full;
        this.kept = kept;
        open();
    }

    @Override
    public void write(byte[] lines) throws IOException {
        FileChannel to = current();
        ByteBuffer rest = ByteBuffer.wrap(lines);
        while (rest.hasRemaining()) {
            to.write(rest);
        }
    }

    private FileChannel current() throws IOException {
        FileChannel open = channel;
        if (open == null || isMoved()) {
            return open();
        }
        if (open.size() < full) {
            return open;
        }
        setAside();
        return open();
    }

    private boolean isMoved() throws IOException {
        try {
            Object there = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            return !Objects.equals(there, identity);
        } catch (NoSuchFileException e) {
            return true;
        }
    }

    private FileChannel open() throws IOException {
        close();
        FileChannel opened =
                FileChannel.open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND), attributes());
        channel = opened;
        identity = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        return opened;
    }

    /** Readable by its owner and, for log collectors, by its group. */
    private FileAttribute<?>[] attributes() {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----"))
                }
                : new FileAttribute<?>[0];
    }

    private void setAside() throws IOException {
        for (int i = kept - 1; i > 0; i--) {
            if (Files.exists(aside(i))) {
                Files.move(aside(i), aside(i + 1), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.move(file, aside(1), StandardCopyOption.REPLACE_EXISTING);
    }

    private Path aside(int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
        }
    }
}
