// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.spring.LostCommitTest.Fate;
import io.semel.spring.LostCommitTest.Fickle;
import io.semel.spring.internal.transaction.CommitWatchRegistrar;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Requests of a reactive application whose commit may have been done. */
@Timeout(120)
class ReactiveCommitTest {

    private static Web web;

    private final String id = UUID.randomUUID().toString();
    private final String body = "{\"id\":\"" + id + "\",\"cents\":5}";

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import(Controller.class)
    static class App {

        @Bean
        Fickle transactionManager(DataSource database) {
            return new Fickle(database);
        }

        @Bean
        Till.Ledger ledger(JdbcClient database) {
            return new Till.Ledger(database);
        }
    }

    @RestController
    static class Controller {

        private final AtomicInteger effects = new AtomicInteger();
        private final Till.Ledger ledger;

        Controller(Till.Ledger ledger) {
            this.ledger = ledger;
        }

        int effects() {
            return effects.get();
        }

        /** As R2DBC's manager says that a connection was lost. */
        @PostMapping("/cut")
        Mono<String> cut() {
            return committing(new TransientDataAccessResourceException("for a test"));
        }

        @PostMapping("/answered")
        Mono<String> answered() {
            return committing(new DataAccessResourceFailureException("for a test"));
        }

        private Mono<String> committing(RuntimeException failure) {
            return TransactionalOperator.create(new CutCommits(effects, failure))
                    .transactional(Mono.just("paid"));
        }

        @PostMapping("/blocking")
        Till.Paid blocking(@RequestBody Till.Order order) {
            return ledger.pay(order);
        }

        @ExceptionHandler({DataAccessResourceFailureException.class, TransactionSystemException.class})
        @ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
        String refused(RuntimeException e) {
            return "Not now.";
        }
    }

    /** Commits, and never hears so. */
    private static final class CutCommits extends AbstractReactiveTransactionManager {

        private static final long serialVersionUID = 1L;

        private final AtomicInteger effects;
        private final RuntimeException failure;

        CutCommits(AtomicInteger effects, RuntimeException failure) {
            this.effects = effects;
            this.failure = failure;
        }

        @Override
        protected Object doGetTransaction(TransactionSynchronizationManager synchronization) {
            return new Object();
        }

        @Override
        protected Mono<Void> doBegin(
                TransactionSynchronizationManager synchronization,
                Object transaction,
                TransactionDefinition definition) {
            return Mono.empty();
        }

        @Override
        protected Mono<Void> doCommit(
                TransactionSynchronizationManager synchronization, GenericReactiveTransaction status) {
            return Mono.defer(() -> {
                effects.incrementAndGet();
                return Mono.error(failure);
            });
        }

        @Override
        protected Mono<Void> doRollback(
                TransactionSynchronizationManager synchronization, GenericReactiveTransaction status) {
            return Mono.empty();
        }
    }

    @BeforeAll
    static void start() {
        web = Web.start(
                App.class,
                WebApplicationType.REACTIVE,
                WebFluxTest.WITHOUT_SECURITY,
                "spring.datasource.url=" + Apps.h2(),
                "semel.store=memory");
    }

    @AfterAll
    static void stop() {
        web.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/cut", "/answered"})
    void aCommitThatWasDoneAlthoughItWasCutFreesNoKey(String path) throws Exception {
        int before = web.bean(Controller.class).effects();
        web.post(path, body, id);

        assertThat(web.post(path, body, id).problem()).isEqualTo("outcome-unknown");
        assertThat(web.bean(Controller.class).effects()).isEqualTo(before + 1);
    }

    @Test
    void aHandlerThatBlocksIsWatchedInItsThread() throws Exception {
        web.bean(Fickle.class).next(Fate.DONE_BUT_CUT);
        web.post("/blocking", body, id);

        assertThat(web.post("/blocking", body, id).problem()).isEqualTo("outcome-unknown");
        assertThat(web.bean(Till.Ledger.class).paid(id)).isOne();
    }

    /** It is told of a commit in whatever thread, and would keep notes of it in that of the begin. */
    @Test
    void aReactiveTransactionManagerTellsNoThreadsWatch() {
        CutCommits reactive = new CutCommits(new AtomicInteger(), new IllegalStateException("for a test"));

        new CommitWatchRegistrar().postProcessAfterInitialization(reactive, "reactive");

        assertThat(reactive.getTransactionExecutionListeners()).isEmpty();
    }
}
