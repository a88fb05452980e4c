// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.semel.Level;
import io.semel.store.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The cases 1 to 66 of the HTTP profile as tests over real sockets, for authors of doors: extend this class, start a server with a
 * {@link ScriptedService} behind the door, run it.
 *
 * <p>All tests share one instance of the class and so one store, which need not be empty: every test uses a key of its own. A case
 * that does not apply is {@link LeftOut} with a reason.
 *
 * <p>How many tests of each case passed is written to {@code target/http-contract/}; the JUnit configuration parameter
 * {@code semel.http-contract.directory} names another directory, or none if it is empty.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.SAME_THREAD)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@ExtendWith(CaseReport.class)
public abstract class HttpContract
        implements KeyCases,
                AnswerCases,
                ComparisonCases,
                RefusalCases,
                ConcurrencyCases,
                JoinedCases,
                FailureCases,
                AbandonedCases,
                TimeCases,
                HeaderCases,
                StoreCases {

    private final Servers servers = new Servers(this);
    private @Nullable Coverage coverage;

    /**
     * Starts one more server with this setting on the {@link #store}. In front of the door it refuses what
     * {@link ScriptedService#front} says, unless that is left out; behind it is a {@link ScriptedService}, which all servers share.
     */
    protected abstract ContractServer start(HttpSetting setting) throws Exception;

    /** The store that all servers use: for its level and its clock, to count its records and to purge them. */
    protected abstract Store store();

    /**
     * Makes everything that is recorded older by this span, as if so much time had passed: leases, retentions and remembrances end
     * sooner by it. Servers that run meanwhile renew their leases, and waits of theirs end sooner too where they follow the same time.
     */
    protected abstract void elapse(Duration span);

    /** The level that the servers give. */
    protected Level level() {
        return store().level();
    }

    /** The cases that this door does not give, with their reasons. */
    protected LeftOut leftOut() {
        return LeftOut.nothing();
    }

    /** The name of the door and its store, for reports. */
    protected String title() {
        return getClass().getSimpleName();
    }

    /** A page of Markdown with a table of cases, whose column with this title has to be right; none unless overridden. */
    protected Optional<Path> table() {
        return Optional.empty();
    }

    final Servers servers() {
        return servers;
    }

    final synchronized Coverage coverage() {
        if (coverage == null) {
            coverage = new Coverage(getClass(), level().gives(Level.JOINED), leftOut());
        }
        return coverage;
    }

    @Test
    final void everyCaseIsTestedOrLeftOutForAReason() {
        assertEquals(List.of(), coverage().mistakes());
    }

    @Test
    final void theTableOfCasesIsRight() throws IOException {
        if (table().isPresent()) {
            new CoverageTable(table().get()).check(title(), coverage());
        }
    }

    @AfterAll
    final void stop() {
        servers.close();
    }
}
