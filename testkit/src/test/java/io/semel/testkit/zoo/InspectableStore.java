// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Key;
import io.semel.store.Inspectable;
import io.semel.store.Settlement;
import io.semel.store.Settlement.Renew;
import io.semel.store.Slot;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A {@link PlainStore} that operators can look into. */
class InspectableStore extends PlainStore implements Inspectable {

    @Override
    public Optional<Slot> look(Key key) {
        synchronized (backend) {
            return Optional.ofNullable(find(at(key))).map(this::show);
        }
    }

    Slot show(Row row) {
        Slot.State state = state(row);
        byte[] result = row.result == null || state == Slot.State.GONE ? null : showResult(row.result);
        return new Slot(
                row.key,
                row.fingerprint,
                state,
                row.fence,
                row.attempts,
                row.settled ? null : row.holder,
                Duration.ofNanos(nanos() - row.since),
                left(state == Slot.State.GONE ? row.forget : row.until),
                result);
    }

    Slot.State state(Row row) {
        if (!row.settled) {
            return isLapsed(row) ? Slot.State.LAPSED : Slot.State.HELD;
        }
        return row.until <= nanos() ? Slot.State.GONE : Slot.State.ofResult(row.result);
    }

    @Override
    public Page page(View view, @Nullable String cursor, int limit) {
        synchronized (backend) {
            List<Row> rest = backend.rows.values().stream()
                    .filter(row -> isIn(view, row))
                    .sorted(order())
                    .filter(row -> cursor == null || cursor(row).compareTo(cursor) > 0)
                    .toList();
            List<Row> shown = rest.subList(0, Math.min(limit, rest.size()));
            String next = shown.size() < rest.size() ? cursor(shown.get(limit - 1)) : null;
            return new Page(shown.stream().map(this::show).toList(), next);
        }
    }

    boolean isIn(View view, Row row) {
        return switch (view) {
            case IN_FLIGHT -> !row.settled;
            case UNKNOWN -> state(row) == Slot.State.UNKNOWN;
            case OLDEST -> !row.settled || row.forget > nanos();
        };
    }

    Comparator<Row> order() {
        return Comparator.comparing(this::cursor);
    }

    String cursor(Row row) {
        return String.format(Locale.ROOT, "%020d %s", row.since, row.key);
    }

    @Override
    public Counts count() {
        synchronized (backend) {
            return new Counts(
                    count(Slot.State.HELD),
                    count(Slot.State.LAPSED),
                    count(Slot.State.UNKNOWN),
                    count(Slot.State.SETTLED),
                    count(Slot.State.GONE),
                    backend.rows.size() * 100L);
        }
    }

    long count(Slot.State state) {
        return backend.rows.values().stream()
                .filter(row -> isIn(View.OLDEST, row) && state(row) == state)
                .count();
    }

    @Override
    public boolean amend(Key key, byte[] seen, Settlement verdict) {
        if (verdict instanceof Renew) {
            throw new IllegalArgumentException("A settled slot has no lease to renew.");
        }
        synchronized (backend) {
            Row row = find(at(key));
            if (row == null || !mayAmend(row, seen)) {
                return false;
            }
            apply(row, verdict);
            return true;
        }
    }

    boolean mayAmend(Row row, byte[] seen) {
        return row.settled && row.result != null && isSeen(row.result, seen);
    }

    boolean isSeen(byte[] result, byte[] seen) {
        return Arrays.equals(result, seen);
    }
}
