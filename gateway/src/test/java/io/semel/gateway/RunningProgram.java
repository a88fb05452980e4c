// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program in a process of its own, whose words are listened to. */
public final class RunningProgram implements AutoCloseable {

    public final Process process;
    private final List<String> said = Collections.synchronizedList(new ArrayList<>());
    private final List<Waiting> waiting = new ArrayList<>();

    private RunningProgram(Process process) {
        this.process = process;
        Thread ear = new Thread(this::listen, "ear");
        ear.setDaemon(true);
        ear.start();
    }

    static RunningProgram program(Path directory, List<String> command) {
        try {
            return new RunningProgram(new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A class of this test's class path, in a JVM like this one. */
    public static RunningProgram java(Path directory, String main, String... args) {
        return java(directory, List.of(), main, args);
    }

    private static RunningProgram java(Path directory, List<String> options, String main, String... args) {
        List<String> command = new ArrayList<>(List.of(
                // What was started in the background ignores Ctrl-C, and so would its children.
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(options);
        command.add(main);
        command.addAll(List.of(args));
        return program(directory, command);
    }

    public static RunningProgram semel(Path directory, String... args) {
        return java(directory, "io.semel.gateway.cli.Semel", args);
    }

    /** As the installed script starts it, with so much memory beside its heap. */
    static RunningProgram shipped(Path directory, String direct, String... args) {
        try {
            Matcher options = Pattern.compile("(?m)^exec \\S+ (-XX:\\+.*) \\\\$")
                    .matcher(Files.readString(Path.of("install/bin/semel")));
            if (!options.find()) {
                throw new IllegalStateException("The script has no options.");
            }
            List<String> all = new ArrayList<>(List.of(options.group(1).split(" ")));
            all.add("-XX:MaxDirectMemorySize=" + direct);
            return java(directory, all, "io.semel.gateway.cli.Semel", args);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void listen() {
        try (BufferedReader words = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = words.readLine(); line != null; line = words.readLine()) {
                heard(line);
            }
        } catch (IOException e) {
            heard("(" + e + ")");
        }
        synchronized (waiting) {
            waiting.forEach(
                    each -> each.found.completeExceptionally(new IllegalStateException("It ended, saying: " + said)));
        }
    }

    private void heard(String line) {
        synchronized (waiting) {
            said.add(line);
            waiting.forEach(each -> each.look(line));
        }
    }

    /** Waits until a line has that in it. */
    public Matcher await(String pattern) {
        Waiting next = new Waiting(Pattern.compile(pattern), new CompletableFuture<>());
        synchronized (waiting) {
            waiting.add(next);
            said.forEach(next::look);
            if (!process.isAlive() && !next.found.isDone()) {
                next.found.completeExceptionally(new IllegalStateException("It has ended, saying: " + said));
            }
        }
        try {
            return next.found.get(90, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("'" + pattern + "' was not said, but: " + said, e);
        }
    }

    public int awaitEnd() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("It goes on, saying: " + said);
        }
        return process.exitValue();
    }

    public List<String> said() {
        return List.copyOf(said);
    }

    /** kill -9: it is not asked. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }

    private record Waiting(Pattern pattern, CompletableFuture<Matcher> found) {

        void look(String line) {
            Matcher matcher = pattern.matcher(line);
            if (matcher.find()) {
                found.complete(matcher);
            }
        }
    }
}
