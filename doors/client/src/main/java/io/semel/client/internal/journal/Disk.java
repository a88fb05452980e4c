// SPDX-License-Identifier: Apache-2.0
package io.semel.client.internal.journal;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/** The few things that a journal asks of a file system, so that tests can make them fail. */
public interface Disk {

    /** A new file, for its owner alone, in place of one that is there. */
    void create(Path path) throws IOException;

    Tail open(Path path) throws IOException;

    /** Puts one file in place of another, and syncs that. */
    void replace(Path from, Path to) throws IOException;

    /** A file that grows at its end. */
    interface Tail extends Closeable {

        /** Writes at this place. */
        void write(long at, byte[] bytes) throws IOException;

        void sync() throws IOException;

        void cut(long length) throws IOException;
    }

    Disk LOCAL = new Disk() {

        @Override
        public void create(Path path) throws IOException {
            Files.deleteIfExists(path);
            if (isPosix(path)) {
                Files.createFile(
                        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            } else {
                Files.createFile(path);
            }
        }

        @Override
        public Tail open(Path path) throws IOException {
            return new LocalTail(new RandomAccessFile(path.toFile(), "rw"));
        }

        @Override
        public void replace(Path from, Path to) throws IOException {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            Path directory = to.toAbsolutePath().getParent();
            // Elsewhere directories cannot be opened, and need not be.
            if (directory != null && isPosix(directory)) {
                syncDirectory(directory);
            }
        }

        private boolean isPosix(Path path) {
            return path.getFileSystem().supportedFileAttributeViews().contains("posix");
        }

        private void syncDirectory(Path directory) throws IOException {
            boolean interrupted = false;
            while (true) {
                try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                    channel.force(true);
                    break;
                } catch (ClosedByInterruptException e) {
                    interrupted = Thread.interrupted();
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    };

    /** Not over a channel, which an interrupt of any caller's thread would close for all. */
    record LocalTail(RandomAccessFile file) implements Tail {

        @Override
        public void write(long at, byte[] bytes) throws IOException {
            file.seek(at);
            file.write(bytes);
        }

        @Override
        public void sync() throws IOException {
            file.getFD().sync();
        }

        @Override
        public void cut(long length) throws IOException {
            file.setLength(length);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
