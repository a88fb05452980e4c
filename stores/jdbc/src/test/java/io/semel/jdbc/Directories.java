// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Directories for the data of servers, gone after the run. */
final class Directories {

    static Path temporary(String name) {
        return temporary(name, () -> {});
    }

    /** One whose files somebody still writes, to be ended before. */
    static Path temporary(String name, Runnable end) {
        try {
            Path directory = Files.createTempDirectory(name);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                end.run();
                delete(directory.toFile());
            }));
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Somebody else may be deleting the same. */
    private static void delete(File file) {
        File[] within = Files.isSymbolicLink(file.toPath()) ? null : file.listFiles();
        for (File each : within == null ? new File[0] : within) {
            delete(each);
        }
        file.delete();
    }

    private Directories() {}
}
