// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directories of stores, copied, searched and deleted. */
final class Directories {

    static Path fresh() {
        try {
            return Files.createTempDirectory("semel-rocksdb").resolve("store");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The files as a killed process would leave them; again if a compaction exchanged some of them meanwhile. */
    static Path copy(Path directory) {
        List<Path> before = walk(directory);
        Path copy = fresh();
        try {
            for (Path file : before) {
                Files.copy(file, copy.resolve(directory.relativize(file).toString()));
            }
        } catch (NoSuchFileException exchanged) {
            return copy(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return walk(directory).equals(before) ? copy : copy(directory);
    }

    /** The files of the database whose names end so, the youngest last. */
    static List<Path> files(Path directory, String suffix) {
        return walk(directory).stream()
                .filter(file -> file.toString().endsWith(suffix))
                .sorted()
                .toList();
    }

    /** With the one that it is in, which is its own. */
    static void delete(Path directory) {
        walk(directory.getParent()).stream().sorted(Comparator.reverseOrder()).forEach(file -> {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Again if a compaction took a file away meanwhile. */
    private static List<Path> walk(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.sorted().toList();
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof NoSuchFileException) {
                return walk(directory);
            }
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Directories() {}
}
