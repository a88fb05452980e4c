// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.transaction;

import io.semel.Key;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.store.Store.Claiming;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;

/** The transaction of the request that this thread is at, and what is known of it so far. */
public final class RequestTransaction {

    private static final ThreadLocal<@Nullable RequestTransaction> CURRENT = new ThreadLocal<>();
    private static final int CLIENT_ERRORS = 400;

    private final TransactionStatus status;
    private @Nullable Claiming claiming;
    private @Nullable Store store;
    private Settlement.@Nullable Complete complete;
    private int answered;
    private boolean spoilt;
    private boolean lost;
    private boolean asking;

    private RequestTransaction(TransactionStatus status) {
        this.status = status;
    }

    public static RequestTransaction enter(TransactionStatus status) {
        RequestTransaction entered = new RequestTransaction(status);
        CURRENT.set(entered);
        return entered;
    }

    public static void leave() {
        CURRENT.remove();
    }

    public static boolean isPresent() {
        return CURRENT.get() != null;
    }

    public static RequestTransaction current() {
        RequestTransaction current = CURRENT.get();
        if (current == null) {
            throw new IllegalStateException("The store of HTTP requests was used outside of a request's transaction.");
        }
        return current;
    }

    /** Whether the request's own claim is under way, before anything was done in its transaction. */
    public boolean isAsking() {
        return asking;
    }

    void asking(boolean now) {
        asking = now;
    }

    void claimed(Claiming asked, Store in) {
        claiming = asked;
        store = in;
    }

    void completed(Settlement.Complete record) {
        complete = record;
    }

    /** Whether another transaction was faster with what the store was asked to say or to keep. */
    void lost(boolean toAnother) {
        lost |= toAnother;
    }

    public boolean isLost() {
        return lost;
    }

    /** Sends what JPA has gathered to the database, so that what that has to say is said while it can still be answered. */
    public void flush() {
        if (!isDoomed()) {
            status.flush();
        }
    }

    /** Whether nothing of it will be committed, because somebody in the handler has marked it or a statement has failed. */
    public boolean isDoomed() {
        return spoilt || status.isRollbackOnly();
    }

    /** A success whose effect is rolled back would be a lie; a refusal is the truth. */
    public void answered(int httpStatus) {
        answered = httpStatus;
        if (httpStatus < CLIENT_ERRORS && isDoomed()) {
            throw new UnexpectedRollbackException("The handler answered " + httpStatus
                    + ", but its transaction, which spans the whole request, is marked for rollback."
                    + " Let the exception that marked it reach an @ExceptionHandler, and answer with 4xx or 5xx.");
        }
    }

    /** The record could not be written because an earlier statement has failed: it is to be written after the rollback. */
    void spoilt(StoreException failure) {
        if (!CommitFailures.isAborted(failure)) {
            throw failure;
        }
        if (answered < CLIENT_ERRORS) {
            LoggerFactory.getLogger(RequestTransaction.class)
                    .warn(
                            "A handler answered {} although a statement in its transaction had failed. The transaction"
                                    + " was rolled back and nothing was recorded; answer with 4xx or 5xx in this case.",
                            answered);
            throw failure;
        }
        spoilt = true;
    }

    public TransactionStatus status() {
        return status;
    }

    public Key key() {
        return claiming().call().key();
    }

    private Claiming claiming() {
        if (claiming == null) {
            throw new IllegalStateException("Nothing was claimed in this transaction.");
        }
        return claiming;
    }

    /** Whether what was to be recorded is there, seen by another transaction, whose claim comes after the end of this one. */
    public boolean isRecorded() {
        return isRecord(claimAgain(new Settlement.Release()));
    }

    /** Records once more, in another transaction; fails if another request was faster. */
    public boolean recordAgain() {
        Claim claim = claimAgain(complete());
        if (!(claim instanceof Claim.Granted) && !isRecord(claim)) {
            throw new UnexpectedRollbackException("Another request with the key was answered first.");
        }
        return true;
    }

    /** Claims once more where it was claimed, as keys and sessions have their own stores, and settles what is granted. */
    private Claim claimAgain(Settlement settlement) {
        Claiming asked = claiming();
        Store in = Objects.requireNonNull(store, "Nothing was claimed in this transaction.");
        Claim claim = in.claim(asked.call(), asked.holder(), asked.lease());
        if (claim instanceof Claim.Granted granted
                && !in.settle(asked.call().key(), asked.holder(), granted.fence(), settlement)) {
            throw new UnexpectedRollbackException("Another request with the key was faster.");
        }
        return claim;
    }

    private boolean isRecord(Claim claim) {
        return claim instanceof Claim.Settled settled
                && Arrays.equals(settled.result(), complete().result());
    }

    private Settlement.Complete complete() {
        if (complete == null) {
            throw new IllegalStateException("Nothing was recorded in this transaction.");
        }
        return complete;
    }
}
