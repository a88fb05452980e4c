// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

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

/** The directory of a store: the database, the number of its format, and who has it open. */
final class Home {

    static final int FORMAT = 1;

    private static final String PREFIX = "semel-rocksdb format ";
    private static final int PROBE = 256 << 10;

    private final Path directory;
    private final Path format;
    private final Path owner;
    private final Path probe;

    Home(Path directory) {
        this.directory = directory;
        this.format = directory.resolve("FORMAT");
        this.owner = directory.resolve("OWNER");
        this.probe = directory.resolve("PROBE");
    }

    @Override
    public String toString() {
        return directory.toString();
    }

    Path data() {
        return directory.resolve("db");
    }

    /** Makes the directory, or checks that it is one of ours. */
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

    /** Answers are nobody else's business, so where a directory has to be made it is for its owner only, whatever the umask. */
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

    /** But for what a process leaves that is killed, or finds the disk full, while it makes the directory. */
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
            return "a process that has not said its name yet";
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

    /** Whether something can be written to this disk. */
    boolean hasRoom() {
        try {
            force(probe, new byte[PROBE]);
            return true;
        } catch (IOException e) {
            return false;
        } finally {
            // Also if only a part of it had room.
            probe.toFile().delete();
        }
    }

    /** All of it or nothing, whenever the machine stops. */
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

    /** Only POSIX systems let a directory be opened, and only there it has to be. */
    private void forceDirectory() throws IOException {
        if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }
}
