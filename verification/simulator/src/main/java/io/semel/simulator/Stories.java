// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import java.io.PrintWriter;
import java.io.StringWriter;

/** What a failure says, with where it came from. */
final class Stories {

    static String of(Throwable failure) {
        StringWriter story = new StringWriter();
        failure.printStackTrace(new PrintWriter(story));
        return story.toString();
    }

    private Stories() {}
}
