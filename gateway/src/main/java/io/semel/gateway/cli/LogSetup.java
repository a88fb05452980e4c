// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import java.util.logging.Level;
import java.util.logging.Logger;

/** One line per message on standard error, and of the libraries only what is wrong. */
final class LogSetup {

    /** Kept, because loggers that nobody holds on to forget their level. */
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

    /** For a storm that is meant to break things, and counts what it broke. */
    static void silent() {
        OURS.setLevel(Level.SEVERE);
    }

    private LogSetup() {}
}
