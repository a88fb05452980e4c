// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.LEASE;
import static io.semel.testkit.internal.laws.Expect.DONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Store;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.Law;
import io.semel.testkit.internal.laws.Wish;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store that does not know says so by throwing (S9). */
interface FailureLaws {

    @Test
    @Law("S9")
    default void aClaimThatCannotBeDecidedThrows(Bench bench) {
        Store failing = bench.failing();

        assertThrows(StoreException.class, () -> failing.claim(bench.call(), bench.token("first"), LEASE));
        assertThrows(StoreException.class, () -> failing.claim(bench.call(), bench.token("first"), LEASE));
    }

    @Test
    @Law("S9")
    default void aBatchThatCannotBeDecidedThrows(Bench bench) {
        Store failing = bench.failing();
        List<Store.Claiming> batch = List.of(
                new Store.Claiming(bench.call(bench.key("a")), bench.token("first"), LEASE),
                new Store.Claiming(bench.call(bench.key("b")), bench.token("second"), LEASE));

        assertThrows(StoreException.class, () -> failing.claimAll(batch));
    }

    @ParameterizedTest
    @EnumSource
    @Law("S9")
    default void aStoreThatCannotObeyNeverSaysThatItDid(Wish wish, Bench bench) {
        Store failing = bench.failing();
        assertThrows(StoreException.class, () -> failing.claim(bench.call(), bench.token("first"), LEASE));

        try {
            assertFalse(failing.settle(bench.key(), bench.token("first"), 1, wish.settlement()));
        } catch (StoreException expected) {
            saysWhy(expected);
        }
    }

    @Test
    @Law("S9")
    default void aClaimThatThrewBecauseNothingWasChangedChangedNothing(Bench bench) {
        Store failing = bench.failing();
        StoreException thrown =
                assertThrows(StoreException.class, () -> failing.claim(bench.call(), bench.token("first"), LEASE));

        if (thrown.changedNothing()) {
            assertEquals(Optional.empty(), peekUnlessItThrows(failing, bench));
            assertFalse(bench.granted("second").abandoned());
        }
    }

    private static Optional<Claim> peekUnlessItThrows(Store failing, Bench bench) {
        try {
            return failing.peek(bench.key());
        } catch (StoreException stillFailing) {
            return Optional.empty();
        }
    }

    /** Drivers close channels and lose connections when an interrupted thread uses them. */
    @Test
    @Law("S9")
    default void anInterruptedCallerIsAnsweredOrThrownAtAndBreaksNothing(Bench bench) {
        assertTrue(claimInterrupted(bench), "the store does not swallow the interrupt");

        bench.granted("first");
        bench.complete("first", DONE);
        bench.elsewhere().answers(DONE);
    }

    private static boolean claimInterrupted(Bench bench) {
        boolean stillInterrupted;
        Thread.currentThread().interrupt();
        try {
            bench.claim(bench.call(), "first");
        } catch (StoreException unknown) {
            saysWhy(unknown);
        } finally {
            stillInterrupted = Thread.interrupted();
        }
        return stillInterrupted;
    }

    private static void saysWhy(StoreException exception) {
        assertFalse(String.valueOf(exception.getMessage()).isBlank(), "an exception says what is wrong");
    }
}
