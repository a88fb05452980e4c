// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import static io.semel.testkit.internal.laws.Bench.ASKED;
import static io.semel.testkit.internal.laws.Bench.KEPT;
import static io.semel.testkit.internal.laws.Bench.LEASE;
import static io.semel.testkit.internal.laws.Bench.OVER_LEASE;
import static io.semel.testkit.internal.laws.Bench.OVER_RETENTION;
import static io.semel.testkit.internal.laws.Expect.DONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Level;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Settlement.Complete;
import io.semel.store.Store.Claiming;
import io.semel.store.Store.Settling;
import io.semel.testkit.internal.laws.Bench;
import io.semel.testkit.internal.laws.CrashRun;
import io.semel.testkit.internal.laws.Expect;
import io.semel.testkit.internal.laws.Law;
import io.semel.testkit.internal.laws.WhereCapable;
import io.semel.testkit.internal.laws.Wish;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What was acknowledged survives a crash (S11): for a {@link StoreContract} whose store promises durability, by itself or as
 * {@link DurableStoreContract}.
 */
public interface CrashLaws {

    /**
     * Kills the process of the backend, or what stands for it, without a chance to write anything more, and starts it again
     * on the same data. Handles opened before may be dead afterwards; calls that are in flight throw.
     */
    void killAndRestart();

    @Test
    @Law("S11")
    default void aStoreThatSurvivesCrashesSaysSo(Bench bench) {
        assertTrue(bench.store().level().gives(Level.LEASED), "its level is LEASED or more");
    }

    @Test
    @Law("S11")
    default void aClaimSurvivesACrash(Bench bench) {
        Claim.Granted granted = bench.granted("first");
        Bench after = bench.crash();

        Claim.Held told = after.held(after.otherCall(), "second");
        assertEquals(ASKED, told.fingerprint());
        Expect.about(LEASE, told.remaining());
        assertEquals(granted, after.granted("first"));
        after.complete("first", DONE);
    }

    @Test
    @Law("S11")
    default void aResultSurvivesACrash(Bench bench) {
        byte[] result = new byte[100_000];
        new Random(11).nextBytes(result);
        bench.done(result, KEPT);

        Claim.Settled told = bench.crash().answers(result);
        assertEquals(ASKED, told.fingerprint());
        Expect.about(KEPT.retention(), told.remaining());
    }

    @Test
    @Law("S11")
    default void aRenewalSurvivesACrash(Bench bench) {
        bench.granted("first");
        bench.renew("first", LEASE.multipliedBy(2));
        Bench after = bench.crash();
        after.elapse(OVER_LEASE);

        after.held("second");
    }

    @Test
    @Law({"S11", "S7"})
    default void aReleaseSurvivesACrashAndSoDoesItsFence(Bench bench) {
        long fence = bench.granted("first").fence();
        bench.release("first");
        Bench after = bench.crash();

        Claim.Granted granted = after.granted(after.otherCall(), "second");
        assertFalse(granted.abandoned());
        assertTrue(granted.fence() > fence);
    }

    @Test
    @Law({"S11", "S3"})
    default void aTakeoverSurvivesACrash(Bench bench) {
        bench.granted("first");
        bench.elapse(OVER_LEASE);
        Claim.Granted taken = bench.granted("second");
        Bench after = bench.crash();

        assertFalse(after.settle("first", Wish.COMPLETE.settlement()));
        assertEquals(taken, after.granted("second"));
        after.complete("second", DONE);
    }

    @Test
    @Law({"S11", "S7"})
    default void theFenceRisesAcrossCrashes(Bench bench) {
        long fence = bench.granted("first").fence();
        Bench after = bench.crash();
        after.elapse(OVER_LEASE);
        Claim.Granted second = after.granted("second");

        assertTrue(second.abandoned());
        assertTrue(second.fence() > fence);
    }

    @Test
    @Law({"S11", "S6"})
    default void whatIsGoneStaysGoneAfterACrash(Bench bench) {
        bench.done(DONE, KEPT);
        bench.elapse(OVER_RETENTION);
        bench.gone();

        bench.crash().gone();
    }

    @Test
    @Law("S11")
    default void batchesSurviveACrash(Bench bench) {
        List<Claiming> claimings = new ArrayList<>();
        List<Settling> settlings = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            claimings.add(new Claiming(bench.call(bench.key("key " + i)), bench.token("holder " + i), LEASE));
        }
        bench.claimAll(claimings).forEach(Expect::granted);
        for (int i = 0; i < 20; i++) {
            settlings.add(bench.settling(bench.key("key " + i), bench.token("holder " + i), done(i)));
        }
        Bench after = bench.crash();
        assertEquals(Collections.nCopies(20, true), after.store().settleAll(settlings));
        List<Claim> answers = after.crash().store().claimAll(claimings);

        for (int i = 0; i < 20; i++) {
            Expect.answer(done(i).result(), answers.get(i));
        }
    }

    @WhereCapable
    @Law({"S11", "S12"})
    default void anAmendmentSurvivesACrash(Bench bench, Inspectable slots) {
        bench.done(Expect.UNKNOWN, Retention.UNENDING);
        assertTrue(slots.amend(bench.key(), Expect.UNKNOWN, done(1)));

        bench.crash().answers(done(1).result());
    }

    @Test
    @Law("S11")
    default void whatWasAcknowledgedWhileManyWereAtItSurvivesACrash(Bench bench) {
        CrashRun run = new CrashRun(bench);
        Bench after = run.crash();

        run.expectEverythingPromised(after);
    }

    private static Complete done(int number) {
        return new Complete(Expect.bytes("done by " + number), KEPT);
    }
}
