// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Event;
import io.semel.Key;
import io.semel.WhenAbandoned;
import io.semel.http.HttpRules;
import io.semel.store.Settlement;
import io.semel.testkit.ForwardingStore;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Every run has one end, whoever comes first: the handler, its time-out, or an exception that nobody declared. */
@ParameterizedClass
@EnumSource(Container.class)
class EndingTest extends Service {

    private final CountDownLatch completing = new CountDownLatch(1);
    private final CountDownLatch givingUp = new CountDownLatch(1);
    private final CountDownLatch completed = new CountDownLatch(1);

    @BeforeEach
    void refuseTheAbandoned() {
        ForwardingStore watched = new ForwardingStore(store) {
            @Override
            public boolean settle(Key slot, String holder, long fence, Settlement settlement) {
                boolean abandoning = settlement instanceof Settlement.Renew renew
                        && renew.lease().isZero();
                if (abandoning) {
                    givingUp.countDown();
                    awaited(completed);
                }
                return super.settle(slot, holder, fence, settlement);
            }
        };
        filter = filter(watched, PAYMENTS.whenAbandoned(WhenAbandoned.refuse()), HttpRules.standard());
    }

    /** The container may be asked for the content type only while the answer is being settled. */
    private void holdUpTheSettling() {
        front = (request, response, chain) ->
                chain.doFilter(request, new HttpServletResponseWrapper((HttpServletResponse) response) {
                    @Override
                    public String getContentType() {
                        if (Thread.currentThread().getName().equals("completing")) {
                            completing.countDown();
                            awaited(givingUp);
                        }
                        return super.getContentType();
                    }
                });
    }

    @Test
    void anAnswerThatIsSentIsTheOneThatIsRecordedAlsoIfTheTimeEndsMeanwhile() throws Exception {
        holdUpTheSettling();
        handler = (request, response) -> {
            charge(request, response);
            AsyncContext async = request.startAsync();
            HandlerRun execution = (HandlerRun) request.getAttribute(HandlerRun.ATTRIBUTE);
            start("completing", async::complete, completed);
            start(
                    "giving up",
                    () -> {
                        awaited(completing);
                        silent(execution);
                    },
                    givingUp);
        };

        Got first = send(pay());

        assertThat(first.text()).isEqualTo("payment 1");
        Got retry = send(pay());
        assertThat(retry.text()).isEqualTo("payment 1");
        assertThat(retry.replayed()).isTrue();
    }

    @Test
    void aHandlerThatCompletesWhileItIsGivenUpDoesNotTurnThatIntoAnEmptyAnswer() throws Exception {
        handler = (request, response) -> {
            charge(request, response);
            AsyncContext async = request.startAsync();
            async.setTimeout(50);
            start(
                    "completing",
                    () -> {
                        awaited(givingUp);
                        async.complete();
                    },
                    completed);
        };

        Got first = send(pay());

        assertThat(first.problem()).isEqualTo("outcome-unknown");
        assertThat(send(pay()).problem()).isEqualTo("outcome-unknown");
        assertThat(effects).hasValue(1);
    }

    @Test
    void aListenerThatThrowsWhenTheTimeEndsLeavesNoKeyBehindThatIsHeld() throws Exception {
        completed.countDown();
        handler = (request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(50);
            async.addListener(new ThrowingListener());
        };

        assertThat(send(pay()).problem()).isEqualTo("outcome-unknown");
        assertThat(store.count().held()).isZero();
    }

    @Test
    void aHandlerThatSwitchesItsTimeOutOffAndNeverEndsIsGivenUp() throws Exception {
        completed.countDown();
        filter = filter.longestRun(Duration.ofMillis(50));
        handler = (request, response) -> request.startAsync().setTimeout(0);

        assertThat(send(pay()).problem()).isEqualTo("outcome-unknown");
        assertThat(store.count().held()).isZero();
    }

    @Test
    void anExceptionThatNobodyDeclaredFreesTheKeyToo() throws Exception {
        handler = (request, response) -> EndingTest.<RuntimeException>sneak(new InterruptedException("undeclared"));

        assertThat(send(pay()).status()).isEqualTo(500);
        assertThat(await(Event.Released.class).cause()).hasStackTraceContaining("undeclared");
        assertThat(records()).isZero();
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private static void silent(HandlerRun execution) {
        try {
            execution.silent();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void start(String name, Runnable task, CountDownLatch after) {
        new Thread(
                        () -> {
                            try {
                                task.run();
                            } finally {
                                after.countDown();
                            }
                        },
                        name)
                .start();
    }

    private static void awaited(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("It did not come to that within " + Duration.ofSeconds(30));
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class ThrowingListener implements AsyncListener {

        @Override
        public void onTimeout(AsyncEvent event) {
            throw new IllegalStateException("a listener's own");
        }

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
