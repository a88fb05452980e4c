// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.testkit.history.SlotOperation.Claiming;
import io.semel.testkit.history.SlotOperation.Peeking;
import io.semel.testkit.history.SlotOperation.Settling;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** That the search for a lawful order misses none and takes little time. */
class HistorySearchTest extends HistoryFixture {

    @Test
    void aLongHistoryOfManyAtOnceIsDecidedQuickly() {
        long time = 0;
        for (int round = 0; round < 100; round++) {
            at(time + 1, time + 20, claim("a" + round, granted(round)));
            for (int i = 0; i < 8; i++) {
                at(time + 2 + i, time + 30 + i, claim("b" + round + i, HELD));
            }
            at(time + 50, time + 60, settle("a" + round, RELEASE, true));
            time += 100;
        }
        assertLawful();
        at(time, time + 1, new Peeking(HELD));
        assertUnlawful();
    }

    @Test
    void theSearchFindsAnOrderExactlyWhereTryingEveryOrderDoes() {
        Random random = new Random(7);
        int lawful = 0;
        for (int i = 0; i < 2_000; i++) {
            history.clear();
            for (int n = 0; n < 5; n++) {
                SlotOperation operation = anyOperation(random);
                long began = random.nextInt(8);
                at(began, operation.isUnanswered() ? Long.MAX_VALUE : began + random.nextInt(6), operation);
            }
            boolean found = EveryOrder.isLawful(history);
            assertThat(HistoryChecker.isLawful(history))
                    .as("history %d: %s", i, history)
                    .isEqualTo(found);
            lawful += found ? 1 : 0;
        }
        assertThat(lawful).isBetween(200, 1_800);
    }

    private static SlotOperation anyOperation(Random random) {
        String holder = random.nextBoolean() ? "a" : "b";
        long fence = random.nextInt(2);
        return switch (random.nextInt(8)) {
            case 0 -> new Claiming(PRINT, holder, LEASE, granted(fence));
            case 1 -> new Claiming(PRINT, holder, LEASE, HELD);
            case 2 -> new Claiming(PRINT, holder, LEASE, null);
            case 3 -> new Settling(holder, fence, RELEASE, true);
            case 4 -> new Settling(holder, fence, random.nextBoolean() ? COMPLETE : RELEASE, null);
            case 5 -> new Settling(holder, fence, RELEASE, false);
            case 6 -> new Peeking(random.nextBoolean() ? HELD : null);
            default -> new Peeking(random.nextBoolean() ? SETTLED : null);
        };
    }
}
