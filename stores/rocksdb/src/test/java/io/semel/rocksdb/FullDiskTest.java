// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * A disk that takes no more bytes. It is a limit on the size of files, set on a running process from outside: that needs
 * no rights, no mount and no particular file system, and it can be lifted again.
 */
class FullDiskTest {

    private final Path directory = Directories.fresh();

    @Test
    void aFullDiskIsToldAndReadOnlyUntilThereIsRoomAgain() throws Exception {
        try (Child child = new Child(Servant.class, directory)) {
            assertThat(child.hear()).isEqualTo("ready");
            settle(child, "before");
            String held = child.ask("claim held");

            limit(child, "0");
            assertThat(child.ask("claim first")).startsWith("unknown: ").contains(directory.toString(), "read-only");
            assertThat(child.ask("claim second")).startsWith("refused: ").contains("read-only", "Make room");
            assertThat(child.ask("settle held " + fence(held))).startsWith("refused: ");
            assertThat(child.ask("claim before")).isEqualTo("settled");

            limit(child, "unlimited");
            untilItTakesWrites(child);
            assertThat(child.ask("settle held " + fence(held))).isEqualTo("true");
            settle(child, "second");
            assertThat(child.ask("claim before")).isEqualTo("settled");
            assertThat(child.ask("claim first")).startsWith("granted ");
        }
        try (RocksStore store = RocksStore.open(directory)) {
            TornLogTest.expectAnswer(store, Victim.key("before"));
            TornLogTest.expectAnswer(store, Victim.key("held"));
            TornLogTest.expectAnswer(store, Victim.key("second"));
        }
        Directories.delete(directory);
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

    private static void limit(Child child, String bytes) throws IOException, InterruptedException {
        Process prlimit = new ProcessBuilder("prlimit", "--pid", "" + child.pid(), "--fsize=" + bytes + ":")
                .inheritIO()
                .start();
        assertThat(prlimit.waitFor()).as("prlimit, of the package util-linux").isZero();
    }
}
