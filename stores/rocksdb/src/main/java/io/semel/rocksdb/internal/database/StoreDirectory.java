// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.database;

import io.semel.StoreException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Set;

/** The directory of a store: the database, its format number, and the process that has it open. */
public final class StoreDirectory {

    static final int FORMAT = 1;

    private static final String PREFIX = "semel-rocksdb format ";
    private static final int PROBE = 256 << 10;

    private final Path directory;
    private final Path format;
    private final Path owner;
    private final Path probe;

    public StoreDirectory(Path directory) {
        this.directory = directory;
        this.format = directory.resolve("FORMAT");
        this.owner = directory.resolve("OWNER");
        this.probe = directory.resolve("PROBE");
    }

    @Override
    public String toString() {
        return directory.toString();
    }

    public Path data() {
        return directory.resolve("db");
    }

    /** Creates the directory, or checks that it belongs to a store. */
    void prepare() {
        try {
            createOwn(directory);
            if (Files.exists(format)) {
                check(Files.readString(format, StandardCharsets.UTF_8).strip());
            } else if (isEmpty()) {
                write(format, PREFIX + FORMAT + "\n");
            } else {
                throw StoreException.changedNothing(
                        "The directory " + directory + " is not empty and has no file FORMAT, so it is not a Semel"
                                + " store; give the store a directory of its own.",
                        null);
            }
            createOwn(data());
        } catch (IOException e) {
            throw StoreException.changedNothing("The directory " + directory + " cannot be used: " + e, e);
        }
    }

    /** Answers are private, so a new directory is for its owner only, whatever the umask. */
    private static void createOwn(Path made) throws IOException {
        if (Files.isDirectory(made)) {
            return;
        }
        Path parent = made.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Files.createDirectory(made, only(made, "rwx------"));
    }

    private static FileAttribute<?>[] only(Path path, String owners) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(owners))}
                : new FileAttribute<?>[0];
    }

    private void check(String found) {
        if (!found.equals(PREFIX + FORMAT)) {
            throw StoreException.changedNothing(
                    "The directory " + directory + " says \"" + found + "\"; this version of Semel reads \"" + PREFIX
                            + FORMAT + "\". Use the version that wrote it, or a newer one.",
                    null);
        }
    }

    /** Ignores the draft left by a process that was killed, or found the disk full, while it created the directory. */
    private boolean isEmpty() throws IOException {
        try (var files = Files.list(directory)) {
            return files.allMatch(draft(format)::equals);
        }
    }

    void takeOwnership() {
        ProcessHandle self = ProcessHandle.current();
        Instant started = self.info().startInstant().orElseGet(Instant::now);
        String process = ManagementFactory.getRuntimeMXBean().getName();
        try {
            write(owner, "process " + process + ", started at " + started + "\n");
        } catch (IOException e) {
            throw StoreException.changedNothing("The file " + owner + " cannot be written: " + e, e);
        }
    }

    String owner() {
        try {
            return Files.readString(owner, StandardCharsets.UTF_8).strip();
        } catch (NoSuchFileException e) {
            return "a process that has not recorded its name yet";
        } catch (IOException e) {
            return "a process whose name cannot be read (" + e + ")";
        }
    }

    void giveUpOwnership() {
        try {
            Files.deleteIfExists(owner);
        } catch (IOException e) {
            throw StoreException.changedNothing("The file " + owner + " cannot be deleted: " + e, e);
        }
    }

    /** Whether this disk accepts writes. */
    boolean hasRoom() {
        try {
            force(probe, new byte[PROBE]);
            return true;
        } catch (IOException e) {
            return false;
        } finally {
            // Also after a partial write.
            probe.toFile().delete();
        }
    }

    /** Writes the whole file or nothing, even if the machine stops. */
    private void write(Path file, String text) throws IOException {
        force(draft(file), text.getBytes(StandardCharsets.UTF_8));
        Files.move(draft(file), file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceDirectory();
    }

    private static Path draft(Path file) {
        return file.resolveSibling(file.getFileName() + ".draft");
    }

    private static void force(Path file, byte[] bytes) throws IOException {
        Set<StandardOpenOption> options =
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        try (FileChannel channel = FileChannel.open(file, options, only(file, "rw-------"))) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
    }

    /** Only POSIX systems let a directory be opened, and only there it must be synced. */
    private void forceDirectory() throws IOException {
        if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }
}
