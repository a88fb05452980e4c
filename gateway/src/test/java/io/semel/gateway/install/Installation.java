// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The zip that the build made, unpacked, on a machine that has a few commands and no Maven. */
record Installation(Path home, Path commands) {

    static final Path ZIP = Path.of(System.getProperty("semel.zip", "semel.zip is not set"));

    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    static Installation unpack(Path directory) throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(ZIP, Map.of("enablePosixFileAttributes", true));
                Stream<Path> entries = Files.walk(zip.getPath("/"))) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                Path target =
                        directory.resolve(zip.getPath("/").relativize(entry).toString());
                if (Files.isDirectory(entry)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(entry, target);
                    Files.setPosixFilePermissions(target, Files.getPosixFilePermissions(entry));
                }
            }
        }
        Path commands = Files.createDirectory(directory.resolve("commands"));
        for (String command : List.of("sh", "dirname", "readlink", "mktemp", "rm", "mv", "cat")) {
            Files.copy(found(command), commands.resolve(command), StandardCopyOption.COPY_ATTRIBUTES);
        }
        Files.createSymbolicLink(commands.resolve("java"), JAVA);
        try (Stream<Path> top = Files.list(directory)) {
            return new Installation(
                    top.filter(each -> each.getFileName().toString().startsWith("semel-gateway-"))
                            .findFirst()
                            .orElseThrow(),
                    commands);
        }
    }

    private static Path found(String command) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .map(each -> Path.of(each, command))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }

    Path file(String name) {
        return home.resolve(name);
    }

    List<String> libraries() throws IOException {
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            return jars.map(jar -> jar.getFileName().toString()).sorted().toList();
        }
    }

    Started start(Path directory, Map<String, String> environment, String... command) throws IOException {
        List<String> words = new ArrayList<>(List.of(command));
        words.set(0, home.resolve(command[0]).toString());
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", commands.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        return new Started(process, process.inputReader(StandardCharsets.UTF_8), new StringBuilder());
    }

    /** Of a command that ends by itself: its exit code, a line break, and its words. */
    String run(Path directory, String... command) throws Exception {
        try (Started started = start(directory, Map.of(), command)) {
            return started.end();
        }
    }

    /** A running command. */
    record Started(Process process, BufferedReader reader, StringBuilder said) implements AutoCloseable {

        Matcher await(String pattern) throws IOException {
            Pattern looked = Pattern.compile(pattern);
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                said.append(line).append('\n');
                Matcher matcher = looked.matcher(line);
                if (matcher.find()) {
                    return matcher;
                }
            }
            throw new AssertionError("It never said " + pattern + ", but:\n" + said);
        }

        String end() throws Exception {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                said.append(line).append('\n');
            }
            return process.waitFor() + "\n" + said;
        }

        /** Not as Process does it, which closes what the program may still say. */
        void stop() {
            assertThat(process.toHandle().destroy()).isTrue();
        }

        @Override
        public void close() {
            process.destroy();
            process.onExit().join();
        }
    }

    /** Java as it is no longer wanted: it says its version, and fails at anything else. */
    static Path oldJava(Path directory, String version) throws IOException {
        Path java = Files.createDirectories(directory.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho 'openjdk version \"" + version + "\" 2018-10-16'\n");
        if (!java.toFile().setExecutable(true)) {
            throw new IOException(java + " cannot be made executable");
        }
        return directory;
    }
}
