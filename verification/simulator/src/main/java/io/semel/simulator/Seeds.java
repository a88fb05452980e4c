// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Plays many seeds, as many at a time as there are processors, and stops at the first that breaks a rule: that seed is
 * printed with the end of its trace and how to play it again.
 */
public final class Seeds {

    /** Plays this one seed only, and prints its whole trace. */
    public static final String ONE = "semel.sim.seed";

    /** How many seeds to play; 10,000 unless told. */
    public static final String COUNT = "semel.sim.seeds";

    /** The first seed; zero unless told, so that everybody plays the same ones. */
    public static final String FIRST = "semel.sim.first";

    private static final int LINES = 100;
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

    private final long first;
    private final long end;
    private final PrintStream out;
    private final AtomicLong next;
    private long played;
    private long nextLine;
    private final Tally tally = new Tally();
    private @Nullable Played failed;
    private @Nullable Throwable stumbled;

    private Seeds(long first, long count, PrintStream out) {
        this.first = first;
        this.end = first + count;
        this.out = out;
        this.next = new AtomicLong(first);
    }

    /** So many seeds, from the first on; progress and failures are printed. */
    public static Seeds of(long first, long count, PrintStream out) {
        return new Seeds(first, count, out);
    }

    /** As the system properties say. */
    public static Seeds ofProperties(PrintStream out) {
        Long one = Long.getLong(ONE);
        return one != null ? of(one, 1, out) : of(Long.getLong(FIRST, 0), Long.getLong(COUNT, 10_000), out);
    }

    /** How many they are. */
    public long count() {
        return end - first;
    }

    /** Plays them, and says what occurred how often; throws the violation of a seed that broke a rule. */
    public Tally play(Simulation simulation) {
        Played broken = find(simulation);
        if (broken != null && broken.violation() != null) {
            throw told(broken, broken.violation());
        }
        out.print(tally);
        return tally;
    }

    /** Plays them until one breaks a rule, the lowest of those that were tried; null if none does. */
    public @Nullable Played find(Simulation simulation) {
        long start = System.nanoTime();
        nextLine = start + BETWEEN_LINES.toNanos();
        List<Thread> players = new ArrayList<>();
        for (int i = 0; i < Math.min(Runtime.getRuntime().availableProcessors(), end - first); i++) {
            Thread player = new Thread(() -> playSome(simulation), "semel-sim-player-" + i);
            players.add(player);
            player.start();
        }
        players.forEach(Seeds::join);
        long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        out.println("simulator: " + played + " seeds from " + first + " on in " + millis + " ms");
        if (stumbled != null) {
            throw new IllegalStateException("The simulator itself failed.", stumbled);
        }
        return failed;
    }

    private void playSome(Simulation simulation) {
        try (Threads threads = new Threads()) {
            for (long seed = next.getAndIncrement(); seed < end; seed = next.getAndIncrement()) {
                note(Played.play(seed, simulation, threads));
            }
        } catch (RuntimeException | Error e) {
            stop(e);
        }
    }

    private synchronized void stop(Throwable cause) {
        next.set(end);
        stumbled = cause;
    }

    private synchronized void note(Played run) {
        tally.add(run.tally());
        played++;
        if (isAlone()) {
            run.trace().lines().forEach(out::println);
        }
        if (run.violation() != null) {
            next.set(end);
            failed = failed == null || failed.seed() > run.seed() ? run : failed;
        }
        if (System.nanoTime() - nextLine > 0) {
            nextLine += BETWEEN_LINES.toNanos();
            out.println("simulator: " + played + " of " + count() + " seeds");
        }
    }

    private AssertionError told(Played broken, Violation violation) {
        if (!isAlone()) {
            broken.trace().last(LINES).forEach(out::println);
        }
        String story = "Seed " + broken.seed() + " breaks " + violation.getMessage()
                + "\nTo play it again with its whole trace: -D" + ONE + "=" + broken.seed();
        out.println(story);
        return new AssertionError(story, violation);
    }

    private boolean isAlone() {
        return end - first == 1;
    }

    private static void join(Thread player) {
        try {
            player.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while seeds were played", e);
        }
    }
}
