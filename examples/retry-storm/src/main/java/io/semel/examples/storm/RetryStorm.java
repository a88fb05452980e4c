// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.storm;

import java.io.PrintStream;
import java.util.Locale;

/** The demonstration: storms one attempt at a payment method and shows what became of the orders. */
public final class RetryStorm {

    private static final int WRONG_OPTIONS = 2;

    public static void main(String[] args) throws InterruptedException {
        System.exit(run(args, System.out, System.err));
    }

    static int run(String[] args, PrintStream out, PrintStream err) throws InterruptedException {
        Options options;
        try {
            options = Options.parse(args);
        } catch (Options.Wrong e) {
            err.println(e.getMessage() + " Try --help.");
            return WRONG_OPTIONS;
        }
        if (options.help()) {
            out.print(Options.USAGE);
            return 0;
        }
        return storm(options, out);
    }

    private static int storm(Options options, PrintStream out) throws InterruptedException {
        out.printf(
                Locale.ROOT,
                "Retry storm against %s%n%d clients at a time, seed %d: they retry, click twice, time out and lose answers.%n%n",
                options.version().summary(),
                options.threads(),
                options.seed());
        Result result = new Storm(options).run(Progress.onStandardOutput(out));
        result.print(out);
        return result.exitCode();
    }

    private RetryStorm() {}
}
