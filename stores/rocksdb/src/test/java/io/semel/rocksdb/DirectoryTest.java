// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.StoreException;
import io.semel.rocksdb.internal.database.Database;
import io.semel.rocksdb.internal.database.StoreDirectory;
import io.semel.rocksdb.internal.format.StoreState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** Who may open which directory. */
class DirectoryTest {

    private final Path directory = Directories.fresh();

    @AfterEach
    void clean() {
        Directories.delete(directory);
    }

    @Test
    void aDirectoryThatAnotherProcessHasOpenIsRefusedWithItsName() {
        try (Child child = new Child(Victim.class, directory)) {
            child.hear();
            assertThatThrownBy(() -> RocksStore.open(directory))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(directory.toString())
                    .hasMessageContaining("process " + child.pid() + "@")
                    .hasMessageContaining("started at 20");
        }
        RocksStore.open(directory).close();
    }

    @Test
    void aDirectoryThatThisProcessHasOpenIsRefusedToo() {
        try (RocksStore open = RocksStore.open(directory)) {
            assertThatThrownBy(() -> RocksStore.open(directory))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("process " + ProcessHandle.current().pid() + "@");
            assertThat(open.count().held()).isZero();
        }
        RocksStore.open(directory).close();
    }

    @Test
    void aNewerFormatIsRefused() throws IOException {
        RocksStore.open(directory).close();
        Files.writeString(directory.resolve("FORMAT"), "semel-rocksdb format 2\n");

        assertThatThrownBy(() -> RocksStore.open(directory))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("semel-rocksdb format 2")
                .hasMessageContaining("semel-rocksdb format 1");
    }

    @Test
    void aDirectoryOfSomethingElseIsLeftAlone() throws IOException {
        Files.createDirectories(directory);
        Path theirs = Files.writeString(directory.resolve("precious"), "data");

        assertThatThrownBy(() -> RocksStore.open(directory))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("not a Semel store");
        assertThat(directory.toFile().list()).containsExactly("precious");
        assertThat(theirs).hasContent("data");
    }

    @Test
    void aDirectoryThatWasOnlyBegunIsTaken() throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("FORMAT.draft"), "semel-ro");

        RocksStore.open(directory).close();
        RocksStore.open(directory).close();
    }

    @Test
    void aStoreWhoseOwnRecordIsOfAnotherFormatIsRefusedAndLetGo() throws RocksDBException {
        RocksStore.open(directory).close();
        writeMeta(new byte[33]);

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> RocksStore.open(directory))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("not in format 2");
        }
        writeMeta(new StoreState(1, 2, 0, 0, 1).bytes());
        RocksStore.open(directory).close();
    }

    @Test
    void whatIsMadeIsForItsOwnerOnly() throws IOException {
        RocksStore.open(directory).close();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(new StoreDirectory(directory).data())))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("FORMAT"))))
                .isEqualTo("rw-------");
    }

    private void writeMeta(byte[] bytes) throws RocksDBException {
        Path data = new StoreDirectory(directory).data();
        try (Database database = Database.open(data, RocksOptions.DEFAULT.database());
                WriteBatch batch = new WriteBatch()) {
            batch.put(database.metaFamily(), StoreState.KEY, bytes);
            database.write(batch);
        }
    }

    @Test
    void aStoreThatCannotGiveUpItsNameLetsGoOfTheDirectoryAllTheSame() throws IOException {
        RocksStore store = RocksStore.open(directory);
        Path owner = directory.resolve("OWNER");
        Files.delete(owner);
        Files.createDirectories(owner.resolve("in the way"));

        assertThatThrownBy(store::close).isInstanceOf(StoreException.class).hasMessageContaining("OWNER");
        Files.delete(owner.resolve("in the way"));
        Files.delete(owner);
        RocksStore.open(directory).close();
    }

    @Test
    void aDirectoryThatCannotBeMadeIsAClearError() throws IOException {
        Files.createDirectories(directory.getParent());
        Files.writeString(directory, "a file");

        assertThatThrownBy(() -> RocksStore.open(directory))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(directory.toString());
    }
}
