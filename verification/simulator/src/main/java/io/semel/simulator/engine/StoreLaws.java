// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Call;
import io.semel.simulator.StoreClock;
import io.semel.store.Claim;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Judges a store's answer by what it acknowledged before. */
final class StoreLaws {

    private final StoreClock clock;
    private final Rules rules;

    StoreLaws(StoreClock clock, Rules rules) {
        this.clock = clock;
        this.rules = rules;
    }

    void claimed(Account account, Call call, String holder, Claim answer) {
        String broken = answer instanceof Claim.Granted granted
                ? granted(account, call, holder, granted)
                : answer instanceof Claim.Held held
                        ? held(account, call, holder, held)
                        : found(account, (Claim.Settled) answer);
        tell(broken, account, answer);
    }

    void settled(Account account, String holder, long fence, Object settlement, boolean applied) {
        Grant current = account.holder();
        boolean owed = current != null && current.holder.equals(holder) && current.fence == fence;
        String broken = applied == owed
                ? null
                : owed ? "S4: the current holder is refused" : "S4: it applied for somebody who is not the holder";
        tell(broken, account, settlement);
    }

    private @Nullable String granted(Account account, Call call, String holder, Claim.Granted granted) {
        Life life = account.life();
        if (life != null && life.isSettled() && !account.isForgotten(life)) {
            return "S6: a settled key is granted";
        }
        Grant current = account.holder();
        if (current == null) {
            return granted.abandoned() ? "S3: a free key is called abandoned" : rising(account, granted);
        }
        if (current.holder.equals(holder)) {
            boolean same = granted.fence() == current.fence && granted.abandoned() == !current.isFirst();
            return same ? null : "S13: the holder's own claim is not granted as before";
        }
        return takenOver(account, current, call, granted);
    }

    private @Nullable String takenOver(Account account, Grant current, Call call, Claim.Granted granted) {
        if (current.leaseEnd > clock.nanos()) {
            return "S2: it is granted while another lease is good";
        }
        if (!current.life.fingerprint.equals(call.fingerprint())) {
            return "S3: a lapsed slot is granted to another fingerprint";
        }
        return granted.abandoned() ? rising(account, granted) : "S3: a lapsed slot is not called abandoned";
    }

    private static @Nullable String rising(Account account, Claim.Granted granted) {
        Life life = account.life();
        boolean remembered = life == null || !account.isForgotten(life);
        return remembered && granted.fence() <= account.highestFence() ? "S7: the fence does not rise" : null;
    }

    private @Nullable String held(Account account, Call call, String holder, Claim.Held held) {
        Grant current = account.holder();
        if (current == null) {
            return "S2: it is told to be held by nobody";
        }
        if (current.holder.equals(holder)) {
            return "S13: the holder is told that somebody else has it";
        }
        if (!current.life.fingerprint.equals(held.fingerprint())) {
            return "S3: a held slot tells another fingerprint";
        }
        boolean mayBeGranted =
                current.leaseEnd <= clock.nanos() && call.fingerprint().equals(held.fingerprint());
        return mayBeGranted ? "S3: a lapsed slot is not granted again" : null;
    }

    private @Nullable String found(Account account, Claim.Settled settled) {
        Life life = account.life();
        Answer answer = life == null ? null : life.answer();
        if (life == null || answer == null) {
            return "S4: it is told to be settled, and is not";
        }
        if (!life.fingerprint.equals(settled.fingerprint())) {
            return "S5: a settled slot tells another fingerprint";
        }
        byte[] result = settled.result();
        if (result == null) {
            return account.isPastRetention(life) ? null : "S5: the result is gone before its retention ended";
        }
        return Arrays.equals(result, answer.frame()) ? null : "S5: the result is not the one that was recorded";
    }

    private void tell(@Nullable String broken, Account account, Object what) {
        if (broken != null) {
            rules.check(false, Invariant.STORE_LAW, account.plan.key(), broken + ": " + what);
        }
    }
}
