// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.Attempt;
import io.semel.Call;
import io.semel.Outcome;
import io.semel.Rejection;
import io.semel.Work;
import io.semel.spring.internal.transaction.JoinedTransactions;
import io.semel.spring.internal.transaction.RetryableFailures;
import java.util.Optional;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The invocation of methods whose record is part of their transaction. A transaction of the caller is joined; otherwise one is
 * begun, and committed before the answer is given. Only such a transaction is begun again after it lost against another, and only
 * then a rejection outlives the effect that it undoes.
 *
 * @param looksFirst whether a retry is answered before a transaction is begun
 */
record JoinedInvocation(JoinedTransactions transactions, boolean looksFirst) implements InvocationStyle {

    @Override
    public @Nullable Object invoke(MethodPlan plan, Call call, MethodInvocation invocation) throws Exception {
        return plan.answer(() -> run(plan, call, plan.work(invocation)));
    }

    private Outcome<Optional<Object>> run(MethodPlan plan, Call call, Work<Optional<Object>, Exception> work)
            throws Exception {
        if (looksFirst && !TransactionSynchronizationManager.isActualTransactionActive()) {
            // A retry takes no transaction, and a duplicate that waits for a call of this process no connection.
            Optional<Outcome<Optional<Object>>> known = plan.engine().peek(call, plan.codec());
            if (known.isPresent()) {
                return known.get();
            }
        }
        for (int tries = 1; ; tries++) {
            JoinedRun run = new JoinedRun(plan, call, work);
            try {
                return run.run();
            } catch (UndoneByRejection undone) {
                return record(plan, call, undone.rejection);
            } catch (RuntimeException e) {
                if (tries == JoinedTransactions.MOST_TRIES || !run.mayBeginAgain(e)) {
                    throw e;
                }
            }
        }
    }

    /** In a new transaction, after that of the effect was rolled back; another call may be answered by now. */
    private Outcome<Optional<Object>> record(MethodPlan plan, Call call, Rejection rejection) {
        return transactions.inNew(() -> recorded(plan, call, rejection)).get();
    }

    /** A rejection is an answer, so its transaction commits. */
    private static Supplier<Outcome<Optional<Object>>> recorded(MethodPlan plan, Call call, Rejection rejection) {
        try {
            Outcome<Optional<Object>> other = plan.engine().run(call, plan.codec(), attempt -> {
                throw rejection;
            });
            return () -> other;
        } catch (Rejection recorded) {
            return () -> {
                throw recorded;
            };
        }
    }

    /** A run in one transaction. */
    private final class JoinedRun {

        private final MethodPlan plan;
        private final Call call;
        private final Work<Optional<Object>, Exception> work;
        private final TransactionStatus status = transactions.begin();
        private @Nullable Throwable thrown;

        JoinedRun(MethodPlan plan, Call call, Work<Optional<Object>, Exception> work) {
            this.plan = plan;
            this.call = call;
            this.work = work;
        }

        Outcome<Optional<Object>> run() throws Exception {
            Outcome<Optional<Object>> outcome;
            try {
                checkWritable();
                outcome = plan.engine().run(call, plan.codec(), this::work);
            } catch (Rejection rejection) {
                end(rejection);
                throw rejection;
            } catch (Exception | Error e) {
                transactions.rollBack(status, e);
                throw e;
            }
            transactions.commit(status);
            return outcome;
        }

        private Optional<Object> work(Attempt attempt) throws Exception {
            try {
                return work.run(attempt);
            } catch (Rejection rejection) {
                throw status.isNewTransaction() ? new UndoneByRejection(rejection) : rejection;
            } catch (Exception | Error e) {
                thrown = e;
                throw e;
            }
        }

        /** A replayed rejection has no effect that would have to be undone. */
        private void end(Rejection rejection) {
            if (rejection.replayed()) {
                transactions.commit(status);
            } else {
                transactions.rollBack(status, rejection);
            }
        }

        private void checkWritable() {
            if (!status.isNewTransaction() && !TransactionSynchronizationManager.isSynchronizationActive()) {
                throw new IllegalStateException(
                        call.key() + " was called after its transaction had ended, where nothing would be committed."
                                + " Call it in a new transaction (REQUIRES_NEW). The method was not executed.");
            }
            if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
                throw new IllegalStateException(
                        "The transaction of " + call.key() + " is read-only, so the answer cannot be recorded."
                                + " Call the method outside of it, or make it writable. The method was not executed.");
            }
        }

        /** Never after the work itself threw: its exception is the caller's. */
        boolean mayBeginAgain(RuntimeException e) {
            return thrown == null && status.isNewTransaction() && RetryableFailures.isRetryable(e);
        }
    }

    /** Carries a rejection out of a transaction that is rolled back. */
    private static final class UndoneByRejection extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Rejection rejection;

        UndoneByRejection(Rejection rejection) {
            super(rejection);
            this.rejection = rejection;
        }
    }
}
