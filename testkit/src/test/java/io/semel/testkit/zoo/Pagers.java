// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.store.Slot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Wrong about pages and counts. */
final class Pagers implements Zoo {

    @Breaks("S3")
    static class HidesLapsedSlots extends InspectableStore {
        @Override
        boolean isIn(View view, Row row) {
            return super.isIn(view, row) && !(view == View.IN_FLIGHT && isLapsed(row));
        }
    }

    @Breaks("S4")
    static class ShowsSettledSlotsInFlight extends InspectableStore {
        @Override
        boolean isIn(View view, Row row) {
            return view == View.IN_FLIGHT || super.isIn(view, row);
        }
    }

    @Breaks("S12")
    static class ShowsEverythingAsUnknown extends InspectableStore {
        @Override
        boolean isIn(View view, Row row) {
            return view == View.UNKNOWN || super.isIn(view, row);
        }
    }

    @Breaks("S6")
    static class HidesWhatIsGone extends InspectableStore {
        @Override
        boolean isIn(View view, Row row) {
            return super.isIn(view, row) && state(row) != Slot.State.GONE;
        }
    }

    @Breaks("S12")
    static class ShowsTheYoungestFirst extends InspectableStore {
        @Override
        public Page page(View view, @Nullable String cursor, int limit) {
            synchronized (backend) {
                List<Row> all = new ArrayList<>(backend.rows.values());
                all.removeIf(row -> !isIn(view, row));
                all.sort(Comparator.comparing(this::cursor).reversed());
                return new Page(all.stream().map(this::show).toList(), null);
            }
        }
    }

    /** A cursor that knows only how old the last slot was. */
    @Breaks("S12")
    static class SkipsSlotsOfTheSameAge extends InspectableStore {
        @Override
        String cursor(Row row) {
            return String.format(Locale.ROOT, "%020d", row.since);
        }
    }

    @Breaks("S12")
    static class ShowsTheLastOfAPageAgain extends InspectableStore {
        @Override
        public Page page(View view, @Nullable String cursor, int limit) {
            Page page = super.page(view, cursor, limit);
            if (cursor == null) {
                return page;
            }
            List<Slot> more = new ArrayList<>(page.slots());
            more.add(page.slots().get(0));
            return new Page(more, page.next());
        }
    }

    @Breaks("S12")
    static class EndsAfterOnePage extends InspectableStore {
        @Override
        public Page page(View view, @Nullable String cursor, int limit) {
            return new Page(super.page(view, cursor, limit).slots(), null);
        }
    }

    @Breaks("S2")
    static class PagesThroughWhatWasOnce extends InspectableStore {
        @Override
        public Page page(View view, @Nullable String cursor, int limit) {
            Page page = super.page(view, cursor, limit);
            List<Slot> stale = page.slots().stream()
                    .map(slot -> new Slot(
                            slot.key(),
                            slot.fingerprint(),
                            slot.state(),
                            slot.fence() - 1,
                            slot.attempts(),
                            slot.holder(),
                            slot.age(),
                            slot.remaining(),
                            slot.result()))
                    .toList();
            return new Page(stale, page.next());
        }
    }

    @Breaks("S2")
    static class CountsLapsedSlotsAsHeld extends InspectableStore {
        @Override
        long count(Slot.State state) {
            return switch (state) {
                case HELD -> super.count(Slot.State.HELD) + super.count(Slot.State.LAPSED);
                case LAPSED -> 0;
                default -> super.count(state);
            };
        }
    }

    @Breaks("S2")
    static class CountsUnknownOutcomesAsSettled extends InspectableStore {
        @Override
        long count(Slot.State state) {
            return switch (state) {
                case SETTLED -> super.count(Slot.State.SETTLED) + super.count(Slot.State.UNKNOWN);
                case UNKNOWN -> 0;
                default -> super.count(state);
            };
        }
    }
}
