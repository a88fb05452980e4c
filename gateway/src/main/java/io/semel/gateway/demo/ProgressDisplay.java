// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.demo;

import java.io.Console;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.Locale;

/** Shows the progress of the storm: in one line on a terminal, else line by line. */
public final class ProgressDisplay {

    private static final String CLEAR = "\r\u001b[K";

    private final PrintWriter out;
    private final boolean terminal;

    ProgressDisplay(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    public static ProgressDisplay onStandardOutput(PrintWriter out) {
        String kind = System.getenv("TERM");
        return new ProgressDisplay(out, isTerminal() && kind != null && !kind.equals("dumb"));
    }

    Duration pause() {
        return terminal ? Duration.ofMillis(100) : Duration.ofSeconds(1);
    }

    void show(double seconds, StormCounters tally, Ledger ledger) {
        String line = String.format(
                Locale.ROOT,
                "%5.1f s   %,d orders   %,d deliveries   %,d charges   %,d double charges",
                seconds,
                tally.requests.sum(),
                tally.deliveries.sum(),
                ledger.charges(),
                ledger.doubleCharges());
        out.print(terminal ? CLEAR + line : line + System.lineSeparator());
        out.flush();
    }

    /** Leaves an empty line before the result. */
    void end() {
        out.print(terminal ? CLEAR : System.lineSeparator());
        out.flush();
    }

    /** From Java 22 on there is a console even where there is no terminal, and a method to ask it. */
    @SuppressWarnings("SystemConsoleNull") // it is asked again, where it is not null
    private static boolean isTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
        } catch (NoSuchMethodException e) {
            return true;
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("Console.isTerminal is public and throws nothing", e);
        }
    }
}
