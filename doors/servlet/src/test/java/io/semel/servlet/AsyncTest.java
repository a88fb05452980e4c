// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Event;
import io.semel.WhenAbandoned;
import io.semel.http.HttpRules;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that answer later, in another thread. */
@ParameterizedClass
@EnumSource(Container.class)
class AsyncTest extends Service {

    private static final Executor ELSEWHERE = ForkJoinPool.commonPool();

    @Test
    void anAnswerThatIsCompletedInAnotherThreadIsRecordedFirst() throws Exception {
        handler = (request, response) -> {
            AsyncContext async = request.startAsync();
            ELSEWHERE.execute(() -> chargeAndComplete(async));
        };

        isChargedOnce();
    }

    @Test
    void anAnswerThatIsCompletedByAThreadOfTheContainerIsRecordedFirst() throws Exception {
        handler = (request, response) -> {
            AsyncContext async = request.startAsync(request, response);
            async.start(() -> chargeAndComplete(async));
        };

        isChargedOnce();
    }

    @Test
    void anAnswerThatIsCompletedBeforeTheHandlerReturnsIsRecordedOnce() throws Exception {
        handler = (request, response) -> chargeAndComplete(request.startAsync());

        isChargedOnce();
    }

    @Test
    void anAnswerThatIsDispatchedIsRecordedWhenTheDispatchReturns() throws Exception {
        handler = (request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                charge(request, response);
            } else {
                AsyncContext async = request.startAsync();
                assertThat(async.hasOriginalRequestAndResponse()).isTrue();
                ELSEWHERE.execute(async::dispatch);
            }
        };

        isChargedOnce();
    }

    @Test
    void aDispatchMayGoElsewhereAndBecomeAsynchronousAgain() throws Exception {
        handler = (request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                AsyncContext again = request.startAsync();
                ELSEWHERE.execute(() -> chargeAndComplete(again));
            } else {
                request.startAsync().dispatch("/elsewhere");
            }
        };

        isChargedOnce();
    }

    @Test
    void wrappersOfTheHandlersOwnStayInPlace() throws Exception {
        handler = (request, response) -> {
            AsyncContext async = request.startAsync(
                    new HttpServletRequestWrapper(request), new HttpServletResponseWrapper(response) {
                        @Override
                        public void setStatus(int status) {
                            super.setStatus(status + 1);
                        }
                    });
            ELSEWHERE.execute(() -> chargeAndComplete(async));
        };

        assertThat(send(pay()).status()).isEqualTo(202);
        assertThat(send(pay()).status()).isEqualTo(202);
        assertThat(effects).hasValue(1);
    }

    @Test
    void anAnswerIsWrittenWithoutBlocking() throws Exception {
        handler = (request, response) -> {
            AsyncContext async = request.startAsync();
            ServletOutputStream out = response.getOutputStream();
            byte[] chunk = "0123456789".getBytes(UTF_8);
            effects.incrementAndGet();
            out.setWriteListener(new WriteListener() {
                private int left = 5000;

                @Override
                public void onWritePossible() throws IOException {
                    while (out.isReady()) {
                        if (left-- == 0) {
                            async.complete();
                            return;
                        }
                        out.write(chunk);
                    }
                }

                @Override
                public void onError(Throwable t) {
                    async.complete();
                }
            });
        };

        Got first = send(pay());
        assertThat(first.body()).hasSize(50_000);
        assertThat(send(pay()).body()).isEqualTo(first.body());
        assertThat(effects).hasValue(1);
    }

    @Test
    void aHandlerWhoseTimeIsOverIsUnknownAndARetryMeetsThePolicy() throws Exception {
        filter = filter(PAYMENTS.whenAbandoned(WhenAbandoned.refuse()), HttpRules.standard());
        handler = (request, response) -> {
            effects.incrementAndGet();
            request.startAsync().setTimeout(50);
        };

        Got first = send(pay());
        Got retry = send(pay());

        assertThat(first.status()).isEqualTo(409);
        assertThat(first.problem()).isEqualTo("outcome-unknown");
        assertThat(first.header("Retry-After")).isEqualTo("1");
        assertThat(retry.problem()).isEqualTo("outcome-unknown");
        assertThat(retry.header("Retry-After")).isNull();
        assertThat(effects).hasValue(1);
    }

    @Test
    void aHandlerThatAnswersAfterItsTimeChangesNothing() throws Exception {
        filter = filter(PAYMENTS.whenAbandoned(WhenAbandoned.rerun()), HttpRules.standard());
        CompletableFuture<HttpServletResponse> late = new CompletableFuture<>();
        handler = (request, response) -> {
            request.startAsync().setTimeout(50);
            late.complete(response);
        };
        assertThat(send(pay()).problem()).isEqualTo("outcome-unknown");
        HttpServletResponse stale = late.join();

        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            try {
                stale.getOutputStream().write("late".getBytes(UTF_8));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });

        assertThat(writing).failsWithin(java.time.Duration.ofSeconds(30));
        handler = this::charge;
        assertThat(send(pay()).text()).isEqualTo("payment 1");
    }

    @Test
    void aListenerThatAnswersInTimeOfNeedIsRecorded() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        handler = (request, response) -> {
            effects.incrementAndGet();
            AsyncContext async = request.startAsync();
            async.setTimeout(50);
            async.addListener(
                    new Listener(heard) {
                        @Override
                        public void onTimeout(AsyncEvent event) throws IOException {
                            super.onTimeout(event);
                            ((HttpServletResponse) event.getSuppliedResponse()).setStatus(202);
                            event.getAsyncContext().complete();
                        }
                    },
                    request,
                    response);
        };

        assertThat(send(pay()).status()).isEqualTo(202);
        assertThat(send(pay()).replayed()).isTrue();
        assertThat(effects).hasValue(1);
        assertThat(heard.take()).isEqualTo("timeout");
        assertThat(heard.take()).isEqualTo("complete");
    }

    @Test
    void whatADispatchThrowsForgetsTheKey() throws Exception {
        handler = (request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                throw new IllegalStateException("no connection");
            }
            request.startAsync().dispatch();
        };

        assertThat(send(pay()).status()).isEqualTo(500);
        assertThat(await(Event.Released.class).cause()).hasMessage("no connection");
        assertThat(records()).isZero();
    }

    @Test
    void whatAHandlerThrowsAfterItHasBecomeAsynchronousForgetsTheKey() throws Exception {
        handler = (request, response) -> {
            request.startAsync();
            throw new IllegalStateException("no connection");
        };

        try (Client.Line line = client().open()) {
            // Some containers send an error, some hang up.
            line.write(pay().bytes());
        }
        assertThat(await(Event.Released.class).cause()).hasMessage("no connection");
        assertThat(records()).isZero();
    }

    @Test
    void anErrorThatIsSentAsynchronouslyIsRecordedOrHasItsPage() throws Exception {
        handler = (request, response) -> {
            AsyncContext async = request.startAsync();
            ELSEWHERE.execute(() -> {
                try {
                    ((HttpServletResponse) async.getResponse()).sendError(effects.incrementAndGet() == 1 ? 500 : 404);
                    async.complete();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
        };

        assertThat(send(pay()).status()).isEqualTo(500);
        assertThat(send(pay()).status()).isEqualTo(404);
        assertThat(send(pay()).replayed()).isTrue();
        assertThat(effects).hasValue(2);
    }

    @Test
    void aDispatchThatTheFilterDoesNotSeeIsAnErrorAndNotAnEmptySuccess() throws Exception {
        seesDispatches = false;
        handler = (request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                charge(request, response);
            } else {
                request.startAsync().dispatch();
            }
        };

        Got first = send(pay());

        assertThat(first.status()).isEqualTo(500);
        assertThat(first.text()).doesNotContain("payment");
    }

    private void chargeAndComplete(AsyncContext async) {
        try {
            charge(null, (HttpServletResponse) async.getResponse());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        async.complete();
    }

    private void isChargedOnce() throws IOException {
        Got first = send(pay());
        Got retry = send(pay());
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.text()).isEqualTo("payment 1");
        assertThat(first.replayed()).isFalse();
        assertThat(retry.text()).isEqualTo("payment 1");
        assertThat(retry.replayed()).isTrue();
        assertThat(effects).hasValue(1);
    }

    /** Tells what it hears. */
    private static class Listener implements AsyncListener {

        private final BlockingQueue<String> heard;

        Listener(BlockingQueue<String> heard) {
            this.heard = heard;
        }

        @Override
        public void onComplete(AsyncEvent event) {
            heard.add("complete");
        }

        @Override
        public void onTimeout(AsyncEvent event) throws IOException {
            heard.add("timeout");
        }

        @Override
        public void onError(AsyncEvent event) {
            heard.add("error");
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            heard.add("start");
        }
    }
}
