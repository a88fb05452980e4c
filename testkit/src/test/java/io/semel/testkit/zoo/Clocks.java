// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Call;
import io.semel.Key;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.TimeZone;

/** Wrong about whose time it is. */
final class Clocks implements Zoo {

    /** A column without a time zone, filled in by the client. */
    @Breaks("S8")
    static class WritesLocalTime extends PlainStore {
        @Override
        long nanos() {
            return super.nanos() + TimeZone.getDefault().getRawOffset() * 1_000_000L;
        }
    }

    @Breaks("S8")
    static class TellsLocalTime extends PlainStore {
        @Override
        public Instant now() {
            return LocalDateTime.ofInstant(super.now(), ZoneId.systemDefault()).toInstant(ZoneOffset.UTC);
        }
    }

    @Breaks("S8")
    static class TellsEveryProcessAnotherTime extends PlainStore {
        @Override
        public Instant now() {
            return super.now().plus(Duration.ofHours(handle));
        }
    }

    /** The end of a lease by the caller's clock, which does not move as the store's does. */
    @Breaks("S8")
    static class ReadsTheCallersClock extends PlainStore {
        private final long callersTime = backend.time.nanos();

        @Override
        long endOfLease(Duration lease, Call call) {
            return callersTime + lease.toNanos();
        }
    }

    /** The clock of a process that has been running for long, compared with that of one that has not. */
    @Breaks("S8")
    static class CountsFromItsOwnStart extends PlainStore {
        private final long start = backend.time.nanos();

        @Override
        long nanos() {
            return super.nanos() - start;
        }
    }

    @Breaks("S8")
    static class BelievesWhenACallSaysItWasSent extends PlainStore {
        @Override
        long endOfLease(Duration lease, Call call) {
            return call.firstSent() != null && call.firstSent().isAfter(Instant.parse("2500-01-01T00:00:00Z"))
                    ? Long.MAX_VALUE
                    : super.endOfLease(lease, call);
        }
    }

    @Breaks("S8")
    static class WritesNumbersOfItsCountry extends PlainStore {
        @Override
        long later(long from, Duration span) {
            String written = String.format(Locale.getDefault(), "%d", super.later(from, span));
            return written.matches("[0-9]+") ? super.later(from, span) : from;
        }
    }

    @Breaks("S8")
    static class FoldsCaseAsItsCountryDoes extends PlainStore {
        @Override
        Object at(Key key) {
            return key.scope() + key.id().toLowerCase(Locale.getDefault());
        }
    }
}
