// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Commands as somebody types them. */
final class Typed {

    /** All that is said, if the exit code is this one. */
    static String semel(int code, String... args) {
        StringWriter said = new StringWriter();
        PrintWriter writer = new PrintWriter(said, true);
        assertThat(Semel.run(writer, writer, args)).as("%s", said).isEqualTo(code);
        return said.toString().strip();
    }

    private Typed() {}
}
