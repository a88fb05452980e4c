// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.failure;

import io.semel.http.Problem;
import io.semel.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes refusals that the engine's listener never hears of to the logger {@code io.semel.http}: each at DEBUG,
 * their numbers at INFO at the end of a minute that began with the first. Clients decide how often it happens, so nothing above DEBUG is written for each.
 */
public final class RefusalLog {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Time SYSTEM = Time.system();

    private final System.Logger logger;
    private final Time time;
    private final Map<Problem.Type, Long> counts = new EnumMap<>(Problem.Type.class);

    public RefusalLog() {
        this(System.getLogger("io.semel.http"), SYSTEM);
    }

    RefusalLog(System.Logger logger, Time time) {
        this.logger = logger;
        this.time = time;
    }

    /**
     * Writes and counts a refusal.
     *
     * @param cause a failure on this side; written with its trace once a minute, and counted beyond that
     */
    public void refused(Problem.Type type, @Nullable Throwable cause) {
        boolean first;
        synchronized (counts) {
            if (counts.isEmpty()) {
                time.schedule(MINUTE, this::end);
            }
            first = counts.merge(type, 1L, Long::sum) == 1;
        }
        if (cause != null && first) {
            logger.log(Level.WARNING, "A request with an idempotency key was refused as " + type.slug(), cause);
        } else {
            logger.log(Level.DEBUG, "A request with an idempotency key was refused as " + type.slug());
        }
    }

    private void end() {
        String summary;
        synchronized (counts) {
            summary = summary();
            counts.clear();
        }
        logger.log(Level.INFO, summary);
    }

    private String summary() {
        return "Requests with idempotency keys that were refused within a minute: "
                + counts.entrySet().stream()
                        .map(each -> each.getKey().slug() + " " + each.getValue())
                        .collect(Collectors.joining(", "));
    }
}
