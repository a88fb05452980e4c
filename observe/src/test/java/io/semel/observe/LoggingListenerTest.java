// SPDX-License-Identifier: Apache-2.0
package io.semel.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Event;
import io.semel.Key;
import io.semel.Listener;
import io.semel.Outcome;
import io.semel.StoreException;
import io.semel.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;

class LoggingListenerTest {

    private static final Key KEY = Key.of("payments", "1");

    private final List<String> lines = new ArrayList<>();
    private final ManualTime time = new ManualTime();

    private Listener at(System.Logger.Level threshold) {
        return new LoggingListener(new Lines(threshold), time);
    }

    @Test
    void whatAnOperatorWouldAskForIsLoggedAndWhatWentWellIsNot() {
        Listener listener = at(System.Logger.Level.INFO);
        listener.on(new Event.Executed("pay", KEY, 1, false, Duration.ZERO, Duration.ZERO, Duration.ZERO));
        listener.on(new Event.Replayed("pay", KEY, Duration.ofMillis(3)));
        listener.on(new Event.WasRefused("pay", KEY, Outcome.Reason.MISMATCH));
        listener.on(new Event.WasRefused("pay", KEY, Outcome.Reason.UNKNOWN));
        listener.on(new Event.Unknown("pay", KEY, 1, "its holder fell silent"));
        listener.on(new Event.ClaimFailed("pay", KEY, StoreException.changedNothing("It is down.", null)));
        assertThat(lines)
                .containsExactly(
                        "INFO pay: payments/1 was refused as MISMATCH.",
                        "WARNING pay: payments/1 was refused as UNKNOWN.",
                        "WARNING pay: the outcome of payments/1 is recorded as unknown: its holder fell silent.",
                        "WARNING pay: the store could not be asked about payments/1, nothing ran: "
                                + "io.semel.StoreException: It is down.");
    }

    @Test
    void whatWasGivenUpIsAWarningThatSaysWhatToDo() {
        at(System.Logger.Level.WARNING).on(new Event.GivenUp("pay", KEY, 3, "it did not answer"));
        assertThat(lines)
                .containsExactly("WARNING pay: nobody knows whether payments/1 (hash " + KeyHashes.hash(KEY)
                        + ", fence 3) happened, because it did not answer; a retry meets the operation's policy, or find"
                        + " out, and resolve or release the key.");
    }

    @Test
    void replaysAreThereForWhoeverAsksForThem() {
        at(System.Logger.Level.DEBUG).on(new Event.Replayed("pay", KEY, Duration.ofMillis(3)));
        assertThat(lines).containsExactly("DEBUG pay: a retry of payments/1 got the first answer after 3 ms.");
    }

    @Test
    void aHostileKeyForgesNoLine() {
        at(System.Logger.Level.INFO)
                .on(new Event.WasRefused("pay", Key.of("payments", "1\nWARNING forged"), Outcome.Reason.MISMATCH));
        assertThat(lines).hasSize(1).noneMatch(line -> line.contains("\n"));
    }

    @Test
    void aFloodIsTenLinesAndASum() {
        Listener listener = at(System.Logger.Level.INFO);
        for (int i = 0; i < 1_000; i++) {
            listener.on(new Event.WasRefused("pay", KEY, Outcome.Reason.MISMATCH));
        }
        listener.on(new Event.WasRefused("other", KEY, Outcome.Reason.MISMATCH));
        assertThat(lines).hasSize(11);
        time.advance(Duration.ofSeconds(10));
        assertThat(lines).hasSize(12).last().isEqualTo("INFO pay: 990 more of mismatch in the last 10 s.");
        listener.on(new Event.WasRefused("pay", KEY, Outcome.Reason.MISMATCH));
        assertThat(lines).hasSize(13);
        time.advance(Duration.ofDays(1));
        assertThat(lines).hasSize(13);
    }

    @Test
    void everyKindOfEventHasItsLine() {
        Listener listener = at(System.Logger.Level.ALL);
        RuntimeException why = new IllegalStateException("why");
        listener.on(new Event.WasBusy("pay", KEY, Duration.ZERO));
        listener.on(new Event.Released("pay", KEY, 1, why));
        listener.on(new Event.Abandoned("pay", KEY, 1));
        listener.on(new Event.NotRetained("pay", KEY, 1, 7, null));
        listener.on(new Event.Unreadable("pay", KEY, why));
        listener.on(new Event.LostLease("pay", KEY, 1));
        listener.on(new Event.Overdue("pay", KEY, 1, Duration.ofHours(24)));
        listener.on(new Event.RenewFailed("pay", KEY, 1, why));
        listener.on(new Event.SettleFailed("pay", KEY, 1, why));
        listener.on(new Event.Operated("pay", KEY, "ann", Event.Act.RELEASED));
        assertThat(lines)
                .containsExactly(
                        "DEBUG pay: a duplicate of payments/1 was told to come back after 0 ms.",
                        "INFO pay: payments/1 failed and is free for a retry: java.lang.IllegalStateException: why",
                        "WARNING pay: the holder of payments/1 fell silent, fence 1.",
                        "WARNING pay: the answer of payments/1 was not kept, 7 bytes.",
                        "WARNING pay: the stored answer of payments/1 cannot be read, and its retry was refused: "
                                + "java.lang.IllegalStateException: why",
                        "WARNING pay: payments/1 was taken over while it ran, fence 1.",
                        "WARNING pay: payments/1 was not ended within PT24H and is renewed no more, fence 1.",
                        "WARNING pay: the lease of payments/1 was not renewed and is tried again: "
                                + "java.lang.IllegalStateException: why",
                        "WARNING pay: the store did not confirm the settle of payments/1: java.lang.IllegalStateException: why",
                        "INFO pay: payments/1 was released by ann.");
    }

    private final class Lines implements System.Logger {

        private final Level threshold;

        Lines(Level threshold) {
            this.threshold = threshold;
        }

        @Override
        public String getName() {
            return "lines";
        }

        @Override
        public boolean isLoggable(Level level) {
            return level.getSeverity() >= threshold.getSeverity();
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
            lines.add(level + " " + text);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... params) {
            lines.add(level + " " + format);
        }
    }
}
