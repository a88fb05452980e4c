// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A disk that takes no more bytes. One is a file system of its own, small and in memory, wherever a process may mount one;
 * the other a limit on the size of files, set on a running process from outside, which needs no rights.
 */
class FullDiskTest {

    private final Path directory = Directories.fresh();

    @ParameterizedTest
    @MethodSource("ways")
    void aFullDiskIsToldAndReadOnlyUntilThereIsRoomAgain(Way way) throws Exception {
        try (Child child = way.start(directory)) {
            assertThat(child.hear()).isEqualTo("ready");
            settle(child, "before");
            String held = child.ask("claim held");

            way.fill(child);
            assertThat(untilAWriteFails(child)).contains(directory.toString(), way.reason, "read-only");
            assertThat(child.ask("claim second")).startsWith("refused: ").contains("read-only", "Make room");
            assertThat(child.ask("settle held " + fence(held))).startsWith("refused: ");
            assertThat(child.ask("claim before")).isEqualTo("settled");
            assertThat(child.ask("claim third")).startsWith("refused: ");
            assertThat(child.ask("exists PROBE")).isEqualTo("false");

            way.drain(child);
            untilItTakesWrites(child);
            assertThat(child.ask("settle held " + fence(held))).isEqualTo("true");
            settle(child, "second");

            for (String id : List.of("before", "held", "second")) {
                assertThat(child.ask("claim " + id)).isEqualTo("settled");
            }
            assertThat(child.ask("close")).isEqualTo("closed");
            assertThat(child.ask("open")).isEqualTo("ready");
            for (String id : List.of("before", "held", "second")) {
                assertThat(child.ask("claim " + id)).isEqualTo("settled");
            }
        }
        Directories.delete(directory);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void aStoreThatIsClosedOnAFullDiskHasEverythingWhenThereIsRoomAgain(Way way) throws Exception {
        try (Child child = way.start(directory)) {
            assertThat(child.hear()).isEqualTo("ready");
            settle(child, "before");
            String held = child.ask("claim held");

            way.fill(child);
            untilAWriteFails(child);
            assertThat(child.ask("close")).isEqualTo("closed");
            way.fill(child);
            assertThat(child.ask("open")).startsWith("refused: ").contains("cannot be opened", way.reason, way.advice);

            way.drain(child);
            assertThat(child.ask("open")).isEqualTo("ready");
            assertThat(child.ask("claim before")).isEqualTo("settled");
            assertThat(child.ask("settle held " + fence(held))).isEqualTo("true");
        }
        Directories.delete(directory);
    }

    /** What is left of the last page of its log may still take some. */
    private static String untilAWriteFails(Child child) {
        String said = child.ask("claim 0");
        for (int i = 1; said.startsWith("granted "); i++) {
            said = child.ask("claim " + i);
        }
        assertThat(said).startsWith("unknown: ");
        return said;
    }

    /** It looks for room now and then, when it is asked. */
    private static void untilItTakesWrites(Child child) {
        String said = child.ask("claim after");
        while (said.startsWith("refused: ")) {
            said = child.ask("claim after");
        }
        assertThat(said).startsWith("granted ");
    }

    private static void settle(Child child, String id) {
        assertThat(child.ask("settle " + id + " " + fence(child.ask("claim " + id))))
                .isEqualTo("true");
    }

    private static String fence(String granted) {
        assertThat(granted).startsWith("granted ");
        return granted.substring("granted ".length());
    }

    static Stream<Way> ways() throws Exception {
        return run(Way.mounting(Directories.fresh(), "true")) == 0
                ? Stream.of(Way.LIMITED_FILES, Way.SMALL_DISK)
                : Stream.of(Way.LIMITED_FILES);
    }

    private static int run(List<String> command) throws Exception {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    private enum Way {
        LIMITED_FILES("File too large", "restore the directory") {
            @Override
            Child start(Path directory) {
                return new Child(Servant.class, directory);
            }

            @Override
            void fill(Child child) throws Exception {
                limit(child, "0");
            }

            @Override
            void drain(Child child) throws Exception {
                limit(child, "unlimited");
            }
        },
        SMALL_DISK("No space left", "Make room") {
            @Override
            Child start(Path directory) {
                return new Child(Servant.class, directory, mounting(directory));
            }

            @Override
            void fill(Child child) {
                assertThat(child.ask("fill")).contains("No space left");
            }

            @Override
            void drain(Child child) {
                assertThat(child.ask("drain")).isEqualTo("true");
            }
        };

        private final String reason;
        private final String advice;

        Way(String reason, String advice) {
            this.reason = reason;
            this.advice = advice;
        }

        abstract Child start(Path directory);

        abstract void fill(Child child) throws Exception;

        abstract void drain(Child child) throws Exception;

        /** Seen by the process alone, and gone with it. */
        private static List<String> mounting(Path directory, String... command) {
            String mount = "mount -t tmpfs -o size=16m semel '" + directory.getParent() + "' && exec \"$@\"";
            return Stream.concat(
                            Stream.of("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh"),
                            Stream.of(command))
                    .toList();
        }

        private static void limit(Child child, String bytes) throws Exception {
            assertThat(run(List.of("prlimit", "--pid", "" + child.pid(), "--fsize=" + bytes + ":")))
                    .as("prlimit, of the package util-linux")
                    .isZero();
        }
    }
}
