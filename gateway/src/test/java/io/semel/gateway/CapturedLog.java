// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is logged under a name while it is open. */
final class CapturedLog implements AutoCloseable {

    private final Logger logger;
    private final List<String> written = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            written.add(line.getLevel() + " " + line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    CapturedLog(String name) {
        logger = Logger.getLogger(name);
        logger.addHandler(handler);
    }

    List<String> written() {
        return List.copyOf(written);
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
    }
}
