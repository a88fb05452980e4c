// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.transaction;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The watch over the transactions that a call begins in its thread: whether they committed, and whether that is known. */
public final class CommitWatch {

    /** Belongs to every transaction manager, and tells the watch of the thread. */
    static final TransactionExecutionListener LISTENER = new Telling();

    private static final ThreadLocal<@Nullable CommitWatch> CURRENT = new ThreadLocal<>();

    /** Transactions whose commit was tried in this thread, and of which nobody has heard the end, the latest first. */
    private static final ThreadLocal<@Nullable Deque<TransactionExecution>> COMMITTING = new ThreadLocal<>();

    private final @Nullable CommitWatch outer;
    private @Nullable TransactionExecution first;
    private @Nullable TransactionExecution unconfirmed;
    private boolean firstCommitted;
    private @Nullable TransactionExecution completed;
    private boolean committed;
    private boolean failedAfterCommit;
    private boolean inDoubt;

    private CommitWatch(@Nullable CommitWatch outer) {
        this.outer = outer;
    }

    public static CommitWatch enter() {
        CommitWatch watch = new CommitWatch(CURRENT.get());
        CURRENT.set(watch);
        return watch;
    }

    /**
     * How many transactions are between the begin of their commit and its end. A transaction that says it was rolled back, and is one
     * of them, was so because its commit failed; Spring does not say how.
     */
    static int committing() {
        Deque<TransactionExecution> committing = COMMITTING.get();
        return committing == null ? 0 : committing.size();
    }

    /** Commits of an inner call are commits of the outer one too. */
    public void leave() {
        if (outer == null) {
            CURRENT.remove();
            return;
        }
        outer.committed |= committed;
        outer.failedAfterCommit |= failedAfterCommit();
        outer.inDoubt |= inDoubt;
        CURRENT.set(outer);
    }

    /** Whether a transaction was committed, whatever becomes of the caller's. */
    public boolean committed() {
        return committed;
    }

    /** Whether the transaction that was begun first was committed: if that is the call's own, all of its effect is there. */
    public boolean committedFirst() {
        return firstCommitted;
    }

    /** Whether a transaction was committed, and one of those who are told of it threw: its effect is there, whatever follows. */
    public boolean failedAfterCommit() {
        return failedAfterCommit || (completed != null && completed == unconfirmed);
    }

    /** Whether a commit failed in a way that says nothing about whether it was done. */
    public boolean isInDoubt() {
        return inDoubt;
    }

    /** The same, where what it was that failed is known only by what the call has thrown. */
    public boolean isInDoubt(Throwable thrown) {
        return inDoubt || (unconfirmed != null && !CommitFailures.isCertain(thrown));
    }

    /** Registered last, so that it hears of the commit if all others have done so without throwing; of the completion it hears anyway. */
    private void follow(TransactionExecution transaction) {
        if (transaction.isReadOnly() || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return;
        }
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

            private boolean told;

            @Override
            public void afterCommit() {
                told = true;
            }

            @Override
            public void afterCompletion(int status) {
                completed = status == STATUS_COMMITTED ? transaction : completed;
                failedAfterCommit |= status == STATUS_COMMITTED && !told;
            }
        });
    }

    private static final class Telling implements TransactionExecutionListener {

        @Override
        public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
            CommitWatch watch = CURRENT.get();
            if (watch != null && watch.first == null && failure == null && transaction.isNewTransaction()) {
                watch.first = transaction;
            }
        }

        private static void tried(TransactionExecution transaction) {
            Deque<TransactionExecution> committing = COMMITTING.get();
            if (committing == null) {
                committing = new ArrayDeque<>();
                COMMITTING.set(committing);
            }
            committing.push(transaction);
        }

        private static void ended(TransactionExecution transaction) {
            Deque<TransactionExecution> committing = COMMITTING.get();
            if (committing != null) {
                committing.removeIf(each -> each == transaction);
                if (committing.isEmpty()) {
                    COMMITTING.remove();
                }
            }
        }

        @Override
        public void beforeCommit(TransactionExecution transaction) {
            if (transaction.isNewTransaction()) {
                tried(transaction);
            }
            CommitWatch watch = CURRENT.get();
            if (watch != null && transaction.isNewTransaction()) {
                watch.unconfirmed = transaction;
                watch.follow(transaction);
            }
        }

        @Override
        public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
            ended(transaction);
            CommitWatch watch = CURRENT.get();
            if (watch != null && transaction.isNewTransaction()) {
                // Others may have been begun and committed since, by those who wait for the commit of this one.
                watch.unconfirmed = watch.unconfirmed == transaction ? null : watch.unconfirmed;
                watch.committed |= failure == null;
                watch.firstCommitted |= failure == null && watch.first == transaction;
                watch.inDoubt |= failure != null && !CommitFailures.isCertain(failure);
            }
        }

        /** After a commit that failed: a connection on which even this fails was lost, and the commit may have been done. */
        @Override
        public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
            ended(transaction);
            CommitWatch watch = CURRENT.get();
            if (watch != null && watch.unconfirmed == transaction) {
                watch.inDoubt |= failure != null && !CommitFailures.isCertain(failure);
            }
        }
    }
}
