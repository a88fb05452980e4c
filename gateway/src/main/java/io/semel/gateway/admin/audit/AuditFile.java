// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A file that lines are added to by several processes; one that is full is set aside, and of those the oldest is dropped. */
final class AuditFile {

    /** A process gets a lock of a file only once. */
    private static final Object TURN = new Object();

    private static final int ASIDE = 9;
    private static final int MOST_READ = 1 << 20;

    private final Path file;
    private final long full;

    AuditFile(Path file, long full) {
        this.file = file.toAbsolutePath();
        this.full = full;
    }

    /** When this returns, the line is on the disk. */
    void add(String line) throws IOException {
        synchronized (TURN) {
            // The lock ends with its channel.
            try (FileChannel others =
                    open(sibling(".lock"), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE))) {
                var unused = others.lock();
                if (Files.exists(file) && Files.size(file) >= full) {
                    setAside();
                }
                append(line);
            }
        }
    }

    private void append(String line) throws IOException {
        boolean begun = Files.exists(file);
        try (FileChannel channel =
                open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE))) {
            long end = channel.size();
            byte[] bytes = ((isWhole(channel, end) ? "" : "\n") + line + "\n").getBytes(StandardCharsets.UTF_8);
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining()) {
                channel.write(rest, end + rest.position());
            }
            channel.force(true);
        }
        if (!begun) {
            forceDirectory();
        }
    }

    /** Readable by its owner only: it holds keys and reasons. */
    private static FileChannel open(Path path, Set<StandardOpenOption> options) throws IOException {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? FileChannel.open(
                        path,
                        options,
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
                : FileChannel.open(path, options);
    }

    /** A line that a crash or a full disk cut off stays on a line of its own. */
    private static boolean isWhole(FileChannel channel, long end) throws IOException {
        ByteBuffer last = ByteBuffer.allocate(1);
        return end == 0 || (channel.read(last, end - 1) == 1 && last.get(0) == '\n');
    }

    private void setAside() throws IOException {
        for (int i = ASIDE - 1; i > 0; i--) {
            if (Files.exists(sibling("." + i))) {
                Files.move(sibling("." + i), sibling("." + (i + 1)), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.move(file, sibling(".1"), StandardCopyOption.REPLACE_EXISTING);
    }

    private void forceDirectory() throws IOException {
        try (FileChannel directory = FileChannel.open(file.resolveSibling(""), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    private Path sibling(String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    /** The last lines, the oldest first: as many as the ends of the files have, and no more than that. */
    List<String> last(int most) throws IOException {
        List<String> lines = new ArrayList<>(lines(file));
        for (int i = 1; i <= ASIDE && lines.size() < most; i++) {
            lines.addAll(0, lines(sibling("." + i)));
        }
        return lines.subList(Math.max(0, lines.size() - most), lines.size());
    }

    private static List<String> lines(Path from) throws IOException {
        try (FileChannel channel = FileChannel.open(from, StandardOpenOption.READ)) {
            long start = Math.max(0, channel.size() - MOST_READ);
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(MOST_READ, channel.size() - start));
            while (bytes.hasRemaining() && channel.read(bytes, start + bytes.position()) > 0) {}
            String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
            return List.of(text.substring(start == 0 ? 0 : text.indexOf('\n') + 1)
                            .split("\n", 0))
                    .stream()
                    .filter(line -> !line.isEmpty())
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
