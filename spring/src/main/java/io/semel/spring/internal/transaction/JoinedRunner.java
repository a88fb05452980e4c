// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.transaction;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Outcome;
import io.semel.Rejection;
import io.semel.Work;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs work in the transaction that its record is part of. A transaction that the caller has begun is joined; else one is begun,
 * and committed before the answer is given. Only its own can be begun again after it lost against another, and only then a
 * rejection outlives the effect that it takes back.
 */
public final class JoinedRunner implements CallRunner {

    private static final int MOST_TRIES = 3;

    private final PlatformTransactionManager manager;
    private final TransactionDefinition definition;

    private final boolean looksFirst;

    public JoinedRunner(PlatformTransactionManager manager, TransactionDefinition definition, boolean looksFirst) {
        this.looksFirst = looksFirst;
        this.manager = manager;
        this.definition = definition;
    }

    @Override
    public Outcome<Optional<Object>> run(
            Engine engine, Codec<Optional<Object>> codec, Call call, Work<Optional<Object>, Exception> work)
            throws Exception {
        if (looksFirst && !TransactionSynchronizationManager.isActualTransactionActive()) {
            // A retry takes no transaction, and whoever waits for a call of this process no connection.
            Optional<Outcome<Optional<Object>>> known = engine.peek(call, codec);
            if (known.isPresent()) {
                return known.get();
            }
        }
        for (int tries = 1; ; tries++) {
            Once once = new Once(engine, codec, call, work);
            try {
                return once.run();
            } catch (TakenBack takenBack) {
                return record(engine, codec, call, takenBack.rejection);
            } catch (RuntimeException e) {
                if (tries == MOST_TRIES || !once.mayBeginAgain(e)) {
                    throw e;
                }
            }
        }
    }

    /** In a new transaction, after that of the effect is rolled back; somebody else's answer may be there by now. */
    private Outcome<Optional<Object>> record(
            Engine engine, Codec<Optional<Object>> codec, Call call, Rejection rejection) {
        TransactionStatus status = manager.getTransaction(definition);
        Outcome<Optional<Object>> outcome;
        try {
            outcome = engine.run(call, codec, attempt -> {
                throw rejection;
            });
        } catch (Rejection recorded) {
            manager.commit(status);
            throw recorded;
        } catch (RuntimeException | Error e) {
            rollBack(status, e);
            throw e;
        }
        manager.commit(status);
        return outcome;
    }

    private void rollBack(TransactionStatus status, Throwable cause) {
        try {
            manager.rollback(status);
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    /** One transaction. */
    private final class Once {

        private final Engine engine;
        private final Codec<Optional<Object>> codec;
        private final Call call;
        private final Work<Optional<Object>, Exception> work;
        private final TransactionStatus status;
        private @Nullable Throwable thrown;

        Once(Engine engine, Codec<Optional<Object>> codec, Call call, Work<Optional<Object>, Exception> work) {
            this.engine = engine;
            this.codec = codec;
            this.call = call;
            this.work = work;
            this.status = manager.getTransaction(definition);
        }

        Outcome<Optional<Object>> run() throws Exception {
            Outcome<Optional<Object>> outcome;
            try {
                checkWritable();
                outcome = engine.run(call, codec, attempt -> {
                    try {
                        return work.run(attempt);
                    } catch (Rejection rejection) {
                        throw status.isNewTransaction() ? new TakenBack(rejection) : rejection;
                    } catch (Exception | Error e) {
                        thrown = e;
                        throw e;
                    }
                });
            } catch (Rejection rejection) {
                end(rejection);
                throw rejection;
            } catch (Exception | Error e) {
                rollBack(status, e);
                throw e;
            }
            manager.commit(status);
            return outcome;
        }

        /** A replayed one has done nothing that would have to be undone. */
        private void end(Rejection rejection) {
            if (rejection.replayed()) {
                manager.commit(status);
            } else {
                rollBack(status, rejection);
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
            return thrown == null && status.isNewTransaction() && RetryableFailures.isLoss(e);
        }
    }

    /** Carries a rejection out of a transaction that is rolled back. */
    private static final class TakenBack extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Rejection rejection;

        TakenBack(Rejection rejection) {
            super(rejection);
            this.rejection = rejection;
        }
    }
}
