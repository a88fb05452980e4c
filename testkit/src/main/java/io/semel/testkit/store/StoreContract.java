// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.store;

import io.semel.Key;
import io.semel.store.Store;
import io.semel.testkit.internal.laws.Backend;
import io.semel.testkit.internal.laws.BenchResolver;
import io.semel.testkit.internal.laws.LawNames;
import io.semel.testkit.internal.laws.LawReport;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The laws S1 to S14 as tests, for whoever writes a {@link Store}: extend this class, give it a backend, run it.
 *
 * <p>All tests share one instance of the class and so one backend, which need not be clean: every test works in a scope of
 * its own. What the store can do beyond {@link Store}, it declares by its interfaces: there are tests for stores that are
 * {@link io.semel.store.Inspectable} or {@link io.semel.store.Purgeable}, and where a store is not, those tests do not exist. A store
 * that promises durability extends {@link DurableStoreContract} instead.
 *
 * <p>How many tests of each law passed is printed and written to {@code target/laws/}; the JUnit configuration parameter
 * {@code semel.laws.directory} names another directory, or none if it is empty.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.SAME_THREAD)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@DisplayNameGeneration(LawNames.class)
@ExtendWith({BenchResolver.class, LawReport.class})
public abstract class StoreContract
        implements ClaimLaws,
                LapseLaws,
                RepeatLaws,
                SettleLaws,
                RenewalLaws,
                ReleaseLaws,
                ResultLaws,
                RetentionLaws,
                PeekLaws,
                FenceLaws,
                TimeLaws,
                FailureLaws,
                KeyLaws,
                BatchLaws,
                RaceLaws,
                ContentionLaws,
                BlockLaws,
                FuzzLaws,
                LookLaws,
                PageLaws,
                AmendLaws,
                PurgeLaws,
                Backend.Owner {

    /**
     * A new handle on the backend, such as another process would have: all handles see the same slots. A handle that is
     * {@link AutoCloseable} is closed after the test.
     */
    protected abstract Store open();

    /**
     * Makes everything that is recorded in the backend older by this span, as if so much time had passed: leases,
     * retentions and remembrances end sooner by it, and what a backend would have dropped by itself meanwhile is gone.
     */
    protected abstract void elapse(Duration span);

    /**
     * Has the backend block on this key, which is claimed, until the answer is closed: as another transaction does that has its row
     * locked. Nothing happens where nothing can block on one key alone.
     */
    protected AutoCloseable blocked(Key key) {
        return () -> {};
    }

    /** A handle that cannot decide claims: its server is not there, its disk or its memory is full. */
    protected abstract Store failing();

    /** What the laws use; nothing that an author of a store has to know. */
    @Override
    public final Backend backend() {
        return new ContractBackend(this);
    }

    private record ContractBackend(StoreContract contract) implements Backend {

        @Override
        public Store open() {
            return contract.open();
        }

        @Override
        public void elapse(Duration span) {
            contract.elapse(span);
        }

        @Override
        public AutoCloseable blocked(Key key) {
            return contract.blocked(key);
        }

        @Override
        public Store failing() {
            return contract.failing();
        }

        @Override
        public void killAndRestart() {
            ((CrashLaws) contract).killAndRestart();
        }
    }
}
