// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.log;

import io.semel.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A log for warnings whose frequency clients and services decide: a few of each kind are written per minute, then the number of the
 * others.
 */
public final class ThrottledLog {

    private static final int MOST = 5;
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Time SYSTEM = Time.system();

    private final System.Logger logger;
    private final Time time;
    private final Map<String, Kind> kinds = new ConcurrentHashMap<>();

    public ThrottledLog(Class<?> of) {
        this(System.getLogger(of.getName()), SYSTEM);
    }

    public ThrottledLog(System.Logger logger, Time time) {
        this.logger = logger;
        this.time = time;
    }

    /**
     * Logs a warning.
     *
     * @param what one of a few texts, without any part of a request
     */
    public void warn(String what, @Nullable Throwable cause) {
        warn(what, "", cause);
    }

    /**
     * Logs a warning with details.
     *
     * @param about the part that differs, on one line
     */
    public void warn(String what, String about, @Nullable Throwable cause) {
        if (kinds.computeIfAbsent(what, Kind::new).admits()) {
            logger.log(System.Logger.Level.WARNING, about.isEmpty() ? what : what + " " + about, cause);
        }
    }

    private final class Kind {

        private final String what;
        private int count;
        private long more;

        private Kind(String what) {
            this.what = what;
        }

        /** A minute begins with its first warning. */
        private synchronized boolean admits() {
            if (count == 0) {
                time.schedule(MINUTE, this::end);
            }
            if (count < MOST) {
                count++;
                return true;
            }
            more++;
            return false;
        }

        private void end() {
            long left;
            synchronized (this) {
                left = more;
                more = 0;
                count = 0;
            }
            if (left > 0) {
                logger.log(System.Logger.Level.WARNING, what + " (" + left + " times more in the last minute)");
            }
        }
    }
}
