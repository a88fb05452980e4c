// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Logs one line per message to standard error, and only warnings of libraries. */
final class LogSetup {

    /** Kept, because unreferenced loggers forget their level. */
    private static final Logger ROOT = Logger.getLogger("");

    private static final Logger OURS = Logger.getLogger("io.semel");

    static void quiet() {
        if (System.getProperty("java.util.logging.config.file") != null) {
            return;
        }
        System.setProperty("java.util.logging.SimpleFormatter.format", "%1$tFT%1$tT.%1$tL %4$s %5$s%6$s%n");
        ROOT.setLevel(Level.WARNING);
        OURS.setLevel(Level.INFO);
    }

    /** For the demo, which causes failures on purpose and counts them. */
    static void silent() {
        OURS.setLevel(Level.SEVERE);
    }

    private LogSetup() {}
}
