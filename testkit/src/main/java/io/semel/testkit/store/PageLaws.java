// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.KEPT;
import static io.semel.testkit.internal.laws.Bench.OVER_LEASE;
import static io.semel.testkit.internal.laws.Bench.OVER_RETENTION;
import static io.semel.testkit.internal.laws.Expect.DONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Retention;
import io.semel.store.Inspectable;
import io.semel.store.Inspectable.Counts;
import io.semel.store.Inspectable.Page;
import io.semel.store.Inspectable.View;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Expect;
import io.semel.testkit.internal.laws.Law;
import io.semel.testkit.internal.laws.WhereCapable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What an operator pages through and counts; other slots may be there too, but nothing else is going on. */
interface PageLaws {

    @WhereCapable
    @Law({"S3", "S4"})
    default void inFlightIsWhatIsClaimedAndNotSettled(Bench bench, Inspectable slots) {
        oneOfEach(bench);

        assertEquals(List.of("lapsed", "held"), ids(bench, all(slots, View.IN_FLIGHT, 200)));
    }

    @WhereCapable
    @Law("S12")
    default void unknownIsWhatIsSettledAsUnknown(Bench bench, Inspectable slots) {
        oneOfEach(bench);

        assertEquals(List.of("unknown"), ids(bench, all(slots, View.UNKNOWN, 200)));
    }

    @WhereCapable
    @Law("S6")
    default void oldestIsEverythingThatIsRemembered(Bench bench, Inspectable slots) {
        oneOfEach(bench);
        bench.granted(bench.call(bench.key("released")), "released");
        bench.settle(bench.key("released"), "released", new Settlement.Release());

        List<Slot> all = all(slots, View.OLDEST, 200);

        assertEquals(List.of("gone", "lapsed", "unknown", "settled", "held"), ids(bench, all));
    }

    @WhereCapable
    @Law("S12")
    default void smallPagesShowEverySlotOnceAndTheOldestFirst(Bench bench, Inspectable slots) {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            complete(bench, "unknown " + i, Expect.UNKNOWN, Retention.UNENDING);
            bench.elapse(Duration.ofMinutes(1));
            expected.add("unknown " + i);
        }

        assertEquals(expected, ids(bench, all(slots, View.UNKNOWN, 1)));
        assertEquals(expected, ids(bench, all(slots, View.UNKNOWN, 2)));
        assertEquals(expected, ids(bench, all(slots, View.UNKNOWN, 100)));
    }

    @WhereCapable
    @Law("S12")
    default void slotsOfTheSameAgeAreEachShownOnce(Bench bench, Inspectable slots) {
        Set<String> expected = new TreeSet<>();
        for (int i = 0; i < 20; i++) {
            complete(bench, "unknown " + i, Expect.UNKNOWN, Retention.UNENDING);
            expected.add("unknown " + i);
        }
        List<String> shown = ids(bench, all(slots, View.UNKNOWN, 3));

        assertEquals(20, shown.size());
        assertEquals(expected, new TreeSet<>(shown));
    }

    @WhereCapable
    @Law("S2")
    default void aPageShowsWhatALookShows(Bench bench, Inspectable slots) {
        oneOfEach(bench);

        for (Slot paged : all(slots, View.OLDEST, 200)) {
            if (paged.key().scope().equals(bench.scope())) {
                Slot looked = slots.look(paged.key()).orElseThrow();
                assertEquals(looked.state(), paged.state());
                assertEquals(looked.fingerprint(), paged.fingerprint());
                assertEquals(looked.fence(), paged.fence());
                assertEquals(looked.attempts(), paged.attempts());
                assertEquals(looked.holder(), paged.holder());
                Expect.about(paged.remaining(), looked.remaining());
            }
        }
    }

    @WhereCapable
    @Law("S2")
    default void countsAgreeWithPages(Bench bench, Inspectable slots) {
        oneOfEach(bench);

        Counts counts = slots.count();
        List<Slot> all = all(slots, View.OLDEST, 200);

        assertEquals(count(all, Slot.State.HELD), counts.held());
        assertEquals(count(all, Slot.State.LAPSED), counts.lapsed());
        assertEquals(count(all, Slot.State.UNKNOWN), counts.unknown());
        assertEquals(count(all, Slot.State.SETTLED), counts.settled());
        assertEquals(count(all, Slot.State.GONE), counts.gone());
        assertTrue(counts.bytes() > 0, "what is stored takes some bytes");
    }

    /** From the oldest to the youngest: gone, lapsed, unknown, settled, held. */
    private static void oneOfEach(Bench bench) {
        complete(bench, "gone", DONE, KEPT);
        bench.elapse(OVER_RETENTION);
        bench.granted(bench.call(bench.key("lapsed")), "lapsed");
        bench.elapse(OVER_LEASE);
        complete(bench, "unknown", Expect.UNKNOWN, Retention.UNENDING);
        bench.elapse(Duration.ofMinutes(1));
        complete(bench, "settled", DONE, KEPT);
        bench.elapse(Duration.ofMinutes(1));
        bench.granted(bench.call(bench.key("held")), "held");
    }

    private static void complete(Bench bench, String id, byte[] result, Retention retention) {
        bench.granted(bench.call(bench.key(id)), id);
        assertTrue(bench.settle(bench.key(id), id, new Settlement.Complete(result, retention)));
    }

    private static List<Slot> all(Inspectable slots, View view, int limit) {
        List<Slot> all = new ArrayList<>();
        Page page = slots.page(view, null, limit);
        all.addAll(page.slots());
        for (String next = page.next(); next != null; next = page.next()) {
            assertTrue(page.slots().size() <= limit && !page.slots().isEmpty(), "a page is neither too long nor empty");
            page = slots.page(view, next, limit);
            all.addAll(page.slots());
        }
        return all;
    }

    private static List<String> ids(Bench bench, List<Slot> slots) {
        return slots.stream()
                .filter(slot -> slot.key().scope().equals(bench.scope()))
                .map(slot -> slot.key().id())
                .toList();
    }

    private static long count(List<Slot> slots, Slot.State state) {
        return slots.stream().filter(slot -> slot.state() == state).count();
    }
}
