// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.log;

import java.io.IOException;
import java.io.PrintStream;

/** The destination of log lines. */
interface LogSink {

    /** Takes all of it. */
    void write(byte[] lines) throws IOException;

    void close() throws IOException;

    static LogSink to(PrintStream stream) {
        return new LogSink() {
            @Override
            public void write(byte[] lines) throws IOException {
                stream.write(lines);
                if (stream.checkError()) {
                    throw new IOException("standard output is closed");
                }
            }

            @Override
            public void close() {
                stream.flush();
            }
        };
    }
}
