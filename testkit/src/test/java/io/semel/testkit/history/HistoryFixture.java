// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Fingerprint;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.testkit.history.HistoryChecker.Event;
import io.semel.testkit.history.SlotOperation.Claiming;
import io.semel.testkit.history.SlotOperation.Settling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A history of one slot, written down by hand. */
abstract class HistoryFixture {

    static final Fingerprint PRINT = Fingerprint.of("asked");
    static final Duration LEASE = Duration.ofMinutes(10);
    static final byte[] DONE = {1};
    static final Settlement COMPLETE = new Settlement.Complete(DONE, Retention.DEFAULT);
    static final Settlement RELEASE = new Settlement.Release();
    static final Claim HELD = new Claim.Held(PRINT, LEASE);
    static final Claim LAPSED = new Claim.Held(PRINT, Duration.ZERO);
    static final Claim SETTLED = new Claim.Settled(PRINT, DONE, Duration.ofDays(1));

    final List<Event> history = new ArrayList<>();
    final Map<String, Long> fences = new HashMap<>();

    void at(long began, long ended, SlotOperation operation) {
        history.add(new Event("a test", began, ended, operation));
    }

    void lost(long began, SlotOperation operation) {
        at(began, Long.MAX_VALUE, operation);
    }

    SlotOperation claim(String holder, Claim answer) {
        if (answer instanceof Claim.Granted granted) {
            fences.put(holder, granted.fence());
        }
        return new Claiming(PRINT, holder, LEASE, answer);
    }

    /** Names the fence of the last grant that the history has for this holder. */
    SlotOperation settle(String holder, Settlement settlement, Boolean applied) {
        return new Settling(holder, fences.getOrDefault(holder, 1L), settlement, applied);
    }

    static Claim granted(long fence) {
        return new Claim.Granted(fence, false);
    }

    void assertLawful() {
        assertThat(HistoryChecker.objection(history)).isEmpty();
        assertThat(HistoryChecker.isLawful(history)).isTrue();
    }

    void assertUnlawful() {
        assertThat(HistoryChecker.isLawful(history)).isFalse();
    }
}
