// SPDX-License-Identifier: Apache-2.0
package io.semel.observe;

import io.semel.Event;
import io.semel.Listener;
import io.semel.Outcome;
import io.semel.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Listener} that logs refusals, unknown outcomes and faults of the store, and at DEBUG replays and duplicates that met a
 * running call. Of one kind and operation it logs ten in ten seconds, and then how many more there were.
 */
public final class LoggingListener implements Listener {

    static final int MOST = 10;
    static final Duration WINDOW = Duration.ofSeconds(10);

    private final System.Logger log;
    private final Time time;
    private final ConcurrentMap<Kind, Window> windows = new ConcurrentHashMap<>();

    /** Logs by this class's name. */
    public LoggingListener() {
        this(System.getLogger(LoggingListener.class.getName()), Time.system());
    }

    public LoggingListener(System.Logger log, Time time) {
        this.log = log;
        this.time = time;
    }

    @Override
    public void on(Event event) {
        Level level = level(event);
        if (level == null || !log.isLoggable(level)) {
            return;
        }
        Kind kind = new Kind(event.operation(), word(event), level);
        if (windows.computeIfAbsent(kind, Window::new).admits()) {
            log(level, event.operation() + ": " + sentence(event), cause(event));
        }
    }

    /** Null for what is not worth a line. */
    private static @Nullable Level level(Event event) {
        if (event instanceof Event.Executed) {
            return null;
        }
        if (event instanceof Event.Replayed || event instanceof Event.WasBusy) {
            return Level.DEBUG;
        }
        if (event instanceof Event.WasRefused refused) {
            return refused.reason() == Outcome.Reason.UNKNOWN ? Level.WARNING : Level.INFO;
        }
        return event instanceof Event.Released || event instanceof Event.Operated ? Level.INFO : Level.WARNING;
    }

    private static String word(Event event) {
        return event instanceof Event.WasRefused refused
                ? refused.reason().name().toLowerCase(Locale.ROOT)
                : event.getClass().getSimpleName();
    }

    private static String sentence(Event event) {
        String key = event.key().toString();
        if (event instanceof Event.Replayed replayed) {
            return "a retry of " + key + " got the first answer after " + millis(replayed.claiming());
        } else if (event instanceof Event.WasBusy busy) {
            return "a duplicate of " + key + " was told to come back after " + millis(busy.waited());
        } else if (event instanceof Event.WasRefused refused) {
            return key + " was refused as " + refused.reason();
        } else if (event instanceof Event.Released) {
            return key + " failed and is free for a retry";
        } else if (event instanceof Event.Abandoned abandoned) {
            return "the holder of " + key + " fell silent, fence " + abandoned.fence();
        } else if (event instanceof Event.GivenUp given) {
            return "nobody knows whether " + key + " (hash " + KeyHashes.hash(given.key()) + ", fence " + given.fence()
                    + ") happened, because " + given.why()
                    + "; a retry meets the operation's policy, or find out, and resolve or release the key";
        } else if (event instanceof Event.Unknown unknown) {
            return "the outcome of " + key + " is recorded as unknown: " + unknown.why();
        } else if (event instanceof Event.NotRetained lost) {
            return "the answer of " + key + " was not kept" + (lost.bytes() < 0 ? "" : ", " + lost.bytes() + " bytes");
        } else if (event instanceof Event.LostLease lost) {
            return key + " was taken over while it ran, fence " + lost.fence();
        } else if (event instanceof Event.Overdue overdue) {
            return key + " was not ended within " + overdue.working() + " and is renewed no more, fence "
                    + overdue.fence();
        } else if (event instanceof Event.Operated operated) {
            return key + " was " + operated.act().name().toLowerCase(Locale.ROOT) + " by " + operated.operator();
        } else if (event instanceof Event.RenewFailed) {
            return "the lease of " + key + " was not renewed and is tried again";
        } else if (event instanceof Event.Unreadable) {
            return "the stored answer of " + key + " cannot be read, and its retry was refused";
        } else if (event instanceof Event.ClaimFailed) {
            return "the store could not be asked about " + key + ", nothing ran";
        }
        return "the store did not confirm the settle of " + key;
    }

    private static @Nullable Throwable cause(Event event) {
        if (event instanceof Event.Released released) {
            return released.cause();
        } else if (event instanceof Event.NotRetained lost) {
            return lost.cause();
        } else if (event instanceof Event.Unreadable unreadable) {
            return unreadable.cause();
        } else if (event instanceof Event.RenewFailed failed) {
            return failed.cause();
        } else if (event instanceof Event.ClaimFailed failed) {
            return failed.cause();
        }
        return event instanceof Event.SettleFailed failed ? failed.cause() : null;
    }

    /** The cause by its message: whoever called has the exception itself, with its stack. */
    private void log(Level level, String sentence, @Nullable Throwable cause) {
        log.log(level, cause == null ? sentence + "." : sentence + ": " + cause);
    }

    private static String millis(Duration span) {
        return span.toMillis() + " ms";
    }

    private record Kind(String operation, String word, Level level) {}

    private final class Window {

        private final Kind kind;
        private long start = time.nanos();
        private int shown;
        private long more;

        Window(Kind kind) {
            this.kind = kind;
        }

        synchronized boolean admits() {
            if (time.nanos() - start >= WINDOW.toNanos() && more == 0) {
                start = time.nanos();
                shown = 0;
            }
            if (shown < MOST) {
                shown++;
                return true;
            }
            if (more == 0) {
                time.schedule(WINDOW.minusNanos(Math.min(time.nanos() - start, WINDOW.toNanos())), this::sum);
            }
            more++;
            return false;
        }

        private void sum() {
            long counted;
            synchronized (this) {
                counted = more;
                more = 0;
                shown = 0;
                start = time.nanos();
            }
            LoggingListener.this.log(
                    kind.level,
                    kind.operation + ": " + counted + " more of " + kind.word + " in the last " + WINDOW.toSeconds()
                            + " s",
                    null);
        }
    }
}
