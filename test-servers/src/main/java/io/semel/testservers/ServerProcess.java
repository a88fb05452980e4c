// SPDX-License-Identifier: Apache-2.0
package io.semel.testservers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The process of a server, with its children, and its directory. */
final class ServerProcess {

    private final Path directory;
    private final String ending;
    private @Nullable ProcessHandle process;

    /** The signal is the one that ends such a server at once and lets it give back what the system lent it. */
    ServerProcess(String name, String ending) {
        this.directory = Watchdog.newDirectory(name);
        this.ending = ending;
    }

    Path directory() {
        return directory;
    }

    /** Starts it, with its output in a file, until that condition says that it answers. */
    void start(List<String> command, BooleanSupplier answers) {
        Path log = directory.resolve("log");
        try {
            Process started = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            runsAs(started.toHandle());
            Await.that(command.get(0) + " answers", () -> {
                if (!started.isAlive()) {
                    throw new IllegalStateException(read(log));
                }
                return answers.getAsBoolean();
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says which process it is, where something else has started it. */
    void runsAs(ProcessHandle started) {
        process = started;
        try {
            // Written beside and renamed: the watchdog reads all of it or nothing.
            Path written = Files.writeString(directory.resolve("ending.new"), ending + " " + started.pid() + "\n");
            Files.move(
                    written,
                    directory.resolve(Watchdog.ENDING),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ProcessHandle process() {
        if (process == null) {
            throw new IllegalStateException("It was not started.");
        }
        return process;
    }

    /** Its command line, to start it again as it was. */
    List<String> command() {
        ProcessHandle.Info info = process().info();
        List<String> command = new ArrayList<>();
        command.add(info.command().orElseThrow());
        command.addAll(List.of(info.arguments().orElseThrow()));
        return command;
    }

    /** With SIGKILL; returns when none of its processes runs and its own is not even listed any more. */
    void kill() {
        ProcessHandle killed = process();
        if (killed.isAlive()) {
            List<ProcessHandle> children = killed.descendants().toList();
            killed.destroyForcibly();
            children.forEach(ProcessHandle::destroyForcibly);
            Await.that(
                    "it is killed", () -> !killed.isAlive() && children.stream().noneMatch(ServerProcess::runs));
        }
        try {
            // Its number may be another process's soon.
            Files.deleteIfExists(directory.resolve(Watchdog.ENDING));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Orphans stay listed as zombies until their new parent asks about them, which can take seconds, and the JDK waits for that. */
    private static boolean runs(ProcessHandle process) {
        try {
            String line = Files.readString(Path.of("/proc", "" + process.pid(), "stat"));
            return line.charAt(line.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException gone) {
            return false;
        }
    }

    /** All of it stands still, with every connection open. */
    void pause() {
        signal("STOP");
    }

    void resume() {
        signal("CONT");
    }

    /** Kills it and deletes its directory. */
    void close() {
        kill();
        delete(directory.toFile());
    }

    private void signal(String name) {
        List<String> command =
                new ArrayList<>(List.of("kill", "-s", name, "" + process().pid()));
        process().descendants().forEach(each -> command.add("" + each.pid()));
        try {
            int status = new ProcessBuilder(command).start().waitFor();
            if (status != 0) {
                throw new IllegalStateException(command + " ended with " + status + ".");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What is gone already, the server has deleted while it ended. */
    private static void delete(File file) {
        File[] within = Files.isSymbolicLink(file.toPath()) ? null : file.listFiles();
        for (File each : within == null ? new File[0] : within) {
            delete(each);
        }
        file.delete();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
