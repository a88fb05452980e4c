// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.storm;

import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How to storm, read from the command line. */
record Options(Version version, long orders, Duration limit, int threads, long seed, boolean help) {

    static final String USAGE = """
            Usage: ./semel demo [options]

            A storm of retries against a payment method: clients that retry, click twice, time out and
            lose their answers. At the end a ledger tells how often each order was charged.

              --attempt bug        charges whenever it is asked
              --attempt half-fix   remembers receipts, but looks before it writes
              --attempt fix        runs the charge through Semel (the default)
              --without-semel      the same as --attempt bug
              --seconds N          how long to storm, 1 to 3600 (default 6, or no limit with --orders)
              --orders N           how many orders to pay, 1 to 10000000 (default no limit)
              --threads N          how many clients at a time, 1 to 1000 (default 16)
              --seed N             makes the clients take the same decisions again (default 1)
              --help               this text

            Exit codes: 0 as promised, 1 if Semel did not keep its promise, 2 for wrong options.
            """;

    private static final Set<String> FLAGS = Set.of("--without-semel", "--help");
    private static final Set<String> VALUES = Set.of("--attempt", "--seconds", "--orders", "--threads", "--seed");
    private static final long NO_LIMIT = Long.MAX_VALUE;

    static Options parse(String... args) {
        Map<String, String> given = read(List.of(args).iterator());
        long orders = number(given, "--orders", 1, 10_000_000, NO_LIMIT);
        long seconds = number(
                given,
                "--seconds",
                1,
                3600,
                orders == NO_LIMIT ? 6 : Duration.ofDays(1).toSeconds());
        return new Options(
                version(given),
                orders,
                Duration.ofSeconds(seconds),
                (int) number(given, "--threads", 1, 1000, 16),
                number(given, "--seed", Long.MIN_VALUE, Long.MAX_VALUE, 1),
                given.containsKey("--help"));
    }

    private static Map<String, String> read(Iterator<String> args) {
        Map<String, String> given = new HashMap<>();
        while (args.hasNext()) {
            String name = args.next();
            if (!FLAGS.contains(name) && !VALUES.contains(name)) {
                throw new Wrong("There is no option '" + name + "'.");
            }
            if (VALUES.contains(name) && !args.hasNext()) {
                throw new Wrong(name + " needs a value.");
            }
            if (given.put(name, FLAGS.contains(name) ? "" : args.next()) != null) {
                throw new Wrong(name + " is given twice.");
            }
        }
        return given;
    }

    private static Version version(Map<String, String> given) {
        String name = given.getOrDefault("--attempt", given.containsKey("--without-semel") ? "bug" : "fix");
        Version version =
                Version.of(name).orElseThrow(() -> new Wrong("--attempt is bug, half-fix or fix, not '" + name + "'."));
        if (given.containsKey("--without-semel") && version == Version.FIX) {
            throw new Wrong("--attempt fix is Semel, so it cannot be --without-semel.");
        }
        return version;
    }

    private static long number(Map<String, String> given, String name, long least, long most, long otherwise) {
        String text = given.get(name);
        if (text == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new Wrong(name + " needs a whole number, not '" + text + "'.");
        }
        throw new Wrong(name + " is from " + least + " to " + most + ", not " + text + ".");
    }

    /** Options that cannot be followed, and why. */
    static final class Wrong extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Wrong(String message) {
            super(message);
        }
    }
}
