// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Level;
import io.semel.spring.internal.setup.InvalidSetup;
import io.semel.spring.internal.setup.InvalidSetupAnalyzer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** What is refused when the application starts. */
class RefusalTest {

    static class Private {
        @Idempotent
        private String pay(String id) {
            return id;
        }

        String call() {
            return pay("1");
        }
    }

    static class Final {
        @Idempotent
        public final void pay(String id) {}
    }

    static class Static {
        @Idempotent
        public static void pay(String id) {}
    }

    static class NoKey {
        @Idempotent
        public void pay(String one, String two) {}
    }

    static class TwoKeys {
        @Idempotent(key = "#one")
        public void pay(String one, @IdempotencyKey String two) {}
    }

    static class Misspelt {
        @Idempotent(key = "#ordr.id")
        public void pay(Payments.Order order) {}
    }

    static class NoExpression {
        @Idempotent(key = "#order.")
        public void pay(Payments.Order order) {}
    }

    static class Anything {
        @Idempotent
        public Map<String, Object> pay(String id) {
            return Map.of();
        }
    }

    static class Raw {
        @Idempotent
        @SuppressWarnings("rawtypes")
        public List pay(String id) {
            return List.of();
        }
    }

    static class Overloaded {
        @Idempotent
        public void pay(String id) {}

        @Idempotent
        public void pay(long id) {}
    }

    static class Joined {
        @Idempotent(level = Level.JOINED)
        public void pay(String id) {}
    }

    static class NoSpan {
        @Idempotent(lease = "soon")
        public void pay(String id) {}
    }

    static class SomeFuture {
        @Idempotent
        public Future<String> pay(String id) {
            return CompletableFuture.completedFuture(id);
        }
    }

    static class Later {
        @Idempotent
        public CompletableFuture<String> pay(String id) {
            return CompletableFuture.completedFuture(id);
        }
    }

    static class NotMadeAgain extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotMadeAgain(int number) {
            super("" + number);
        }
    }

    static class Unmakeable {
        @Idempotent(recordExceptions = NotMadeAgain.class)
        public void pay(String id) {}
    }

    static class NewTransaction {
        @Idempotent
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void pay(String id) {}
    }

    static class ReadOnly {
        @Idempotent
        @Transactional(readOnly = true)
        public void pay(String id) {}
    }

    static class Committing {
        @Idempotent(level = Level.LEASED)
        @Transactional
        public void pay(String id) throws IOException {
            throw new IOException(id);
        }
    }

    static class NeverRollingBack {
        @Idempotent(level = Level.LEASED)
        @Transactional(noRollbackFor = IllegalStateException.class)
        public void pay(String id) {}
    }

    static class RollingBack {
        @Idempotent(level = Level.LEASED)
        @Transactional(rollbackFor = IOException.class)
        public void pay(String id) throws IOException {
            throw new IOException(id);
        }
    }

    static class Guarded {
        @Idempotent
        public void pay(String id) {}
    }

    static class Early implements BeanPostProcessor, PriorityOrdered, BeanFactoryAware {

        @Override
        public void setBeanFactory(BeanFactory beans) {
            beans.getBean(Guarded.class);
        }

        @Override
        public int getOrder() {
            return 0;
        }
    }

    interface Contract {
        void other();
    }

    static class BehindInterface implements Contract {
        @Override
        public void other() {}

        @Idempotent
        public void pay(String id) {}
    }

    private static void refuses(ApplicationContextRunner app, Class<?> bean, String... parts) {
        app.withBean(bean).run(context -> {
            assertThat(context).hasFailed();
            Throwable failure = context.getStartupFailure();
            while (!(failure instanceof InvalidSetup) && failure.getCause() != null) {
                failure = failure.getCause();
            }
            assertThat(failure).isInstanceOf(InvalidSetup.class);
            assertThat(failure.getMessage()).contains(parts);
            var analysis = new InvalidSetupAnalyzer().analyze(failure);
            assertThat(analysis.getDescription() + " " + analysis.getAction()).isEqualTo(failure.getMessage());
        });
    }

    @Test
    void methodsThatNoProxyCanGuard() {
        refuses(Apps.inMemory(), Private.class, "private", "@Idempotent would have no effect");
        refuses(Apps.inMemory(), Final.class, "final");
        refuses(Apps.inMemory(), Static.class, "static");
        refuses(Apps.inMemory().withBean(Early.class), Guarded.class, "is not proxied");
        refuses(
                Apps.inMemory().withPropertyValues("spring.aop.proxy-target-class=false"),
                BehindInterface.class,
                "interface");
    }

    @Test
    void keysThatAreMissingOrMisspelt() {
        refuses(Apps.inMemory(), NoKey.class, "has no key");
        refuses(Apps.inMemory(), TwoKeys.class, "more than one key");
        refuses(Apps.inMemory(), Misspelt.class, "#ordr", "not a parameter");
        refuses(Apps.inMemory(), NoExpression.class, "not a valid expression");
    }

    @Test
    void answersThatCouldNotBeReadAgain() {
        refuses(Apps.inMemory(), Anything.class, "a stored answer cannot be read as");
        refuses(Apps.inMemory(), Raw.class, "a stored answer cannot be read as");
        refuses(Apps.inMemory(), SomeFuture.class, "cannot be awaited");
        refuses(Apps.inMemory(), Unmakeable.class, "NotMadeAgain");
    }

    @Test
    void operationsThatWouldShareKeys() {
        refuses(Apps.inMemory(), Overloaded.class, "would share keys");
    }

    @Test
    void levelsThatTheStoreCannotGive() {
        refuses(Apps.inMemory(), Joined.class, "demands JOINED", "gives only BEST_EFFORT", "semel.store");
        refuses(Apps.inMemory(), Committing.class, "demands LEASED");
    }

    @Test
    void spansThatAreNone() {
        refuses(Apps.inMemory(), NoSpan.class, "soon");
        refuses(Apps.inMemory().withPropertyValues("semel.lease=1ms"), Later.class, "A lease is from");
    }

    @Test
    void transactionsThatWouldKeepHalfOfACall() {
        refuses(Apps.onH2(), NewTransaction.class, "propagation");
        refuses(Apps.onH2(), ReadOnly.class, "readOnly");
        refuses(Apps.onH2(), Later.class, "completes after the transaction");
        refuses(Apps.onH2(), Committing.class, "IOException", "rollbackFor");
        refuses(Apps.onH2(), NeverRollingBack.class, "IllegalStateException");
        Apps.onH2()
                .withBean(RollingBack.class)
                .run(context -> assertThat(context).hasNotFailed());
    }
}
