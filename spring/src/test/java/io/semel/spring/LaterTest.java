// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Key;
import io.semel.NotDone;
import io.semel.memory.MemoryStore;
import io.semel.spring.internal.method.FutureInvocation;
import io.semel.spring.internal.method.IdempotentMethods;
import io.semel.spring.internal.method.InvocationStyle;
import io.semel.spring.internal.method.MethodPlan;
import io.semel.spring.internal.method.MethodPlans;
import io.semel.spring.internal.method.ReactiveInvocation;
import io.semel.store.Slot;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aop.framework.ProxyFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@Timeout(60)
class LaterTest {

    record Mail(String to, int number) {}

    static class Mails {

        private final AtomicInteger runs = new AtomicInteger();
        private final CompletableFuture<Mail> sent = new CompletableFuture<>();

        int runs() {
            return runs.get();
        }

        CompletableFuture<Mail> sent() {
            return sent;
        }

        @Idempotent(operation = "send")
        public CompletableFuture<Mail> send(String to) {
            runs.incrementAndGet();
            return sent;
        }

        @Idempotent
        public CompletionStage<List<Mail>> sendAll(String to) {
            return CompletableFuture.supplyAsync(() -> List.of(new Mail(to, runs.incrementAndGet())));
        }

        @Idempotent
        public CompletableFuture<Mail> fail(String to) {
            runs.incrementAndGet();
            return CompletableFuture.failedFuture(new IllegalStateException("no post today"));
        }

        @Idempotent(recordExceptions = IllegalArgumentException.class)
        public CompletableFuture<Mail> refuse(String to) {
            runs.incrementAndGet();
            return CompletableFuture.failedFuture(new IllegalArgumentException("no such address"));
        }

        @Idempotent
        public Mono<Mail> mono(String to) {
            return Mono.fromSupplier(() -> new Mail(to, runs.incrementAndGet()));
        }

        @Idempotent
        public Mono<Void> monoOfNothing(String to) {
            return Mono.fromRunnable(runs::incrementAndGet);
        }

        @Idempotent
        public Flux<Mail> flux(String to) {
            return Flux.range(1, 3).map(i -> new Mail(to, runs.incrementAndGet()));
        }

        @Idempotent
        public Mono<Mail> monoFails(String to) {
            runs.incrementAndGet();
            return Mono.error(new IllegalStateException("no post today"));
        }

        @Idempotent(operation = "posted")
        public Mono<Mail> posted(String to) {
            runs.incrementAndGet();
            return Mono.fromFuture(sent);
        }

        @Idempotent(operation = "never")
        public Mono<Mail> never(String to) {
            runs.incrementAndGet();
            return Mono.never();
        }
    }

    private static void withMails(BiConsumer<Mails, MemoryStore> test) {
        Apps.bare().withBean(Mails.class).withBean(MemoryStore.class).run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context.getBean(Mails.class), context.getBean(MemoryStore.class));
        });
    }

    /** The same methods in a style of the test's own. */
    private static void by(InvocationStyle style, BiConsumer<Mails, MemoryStore> test) {
        Apps.bare().withBean(MemoryStore.class).run(context -> {
            MethodPlans plans = context.getBean(MethodPlans.class);
            ProxyFactory factory = new ProxyFactory(new Mails());
            factory.addAdvice((MethodInterceptor) invocation -> {
                if (!IdempotentMethods.isMarked(invocation.getMethod(), Mails.class)) {
                    return invocation.proceed();
                }
                MethodPlan plan = plans.of(invocation.getMethod(), Mails.class);
                return style.invoke(plan, plan.call(invocation.getArguments()), invocation);
            });
            test.accept((Mails) factory.getProxy(), context.getBean(MemoryStore.class));
        });
    }

    private static Executor rejecting(Throwable why) {
        return task -> {
            if (why instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) why;
        };
    }

    @Test
    void aFutureIsRecordedAlsoWhereThereIsNoThreadToDoItOn() {
        for (Throwable why : List.of(new RejectedExecutionException("full"), new OutOfMemoryError("no thread"))) {
            by(new FutureInvocation(rejecting(why), null, false), (mails, store) -> {
                CompletableFuture<Mail> first = mails.send("you");
                mails.sent().complete(new Mail("you", 1));

                assertThat(first).isCompletedWithValue(new Mail("you", 1));
                assertThat(store.look(Key.of("send", "you")).orElseThrow().state())
                        .isEqualTo(Slot.State.SETTLED);
            });
        }
    }

    @Test
    void aMonoThatThereIsNoThreadToRecordOnIsNotForgotten() {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        by(new ReactiveInvocation(false, Schedulers.fromExecutor(threads)), (mails, store) -> {
            CompletableFuture<Mail> first = mails.posted("you").toFuture();
            awaitRun(mails);
            threads.shutdown();
            mails.sent().complete(new Mail("you", 1));

            assertThatThrownBy(first::join).hasCauseInstanceOf(RejectedExecutionException.class);
            assertThat(store.look(Key.of("posted", "you")).orElseThrow().state())
                    .isEqualTo(Slot.State.LAPSED);
        });
    }

    @Test
    void aSubscriberThatCancelsWhereThereIsNoThreadLeavesTheCallAbandoned() {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        by(new ReactiveInvocation(false, Schedulers.fromExecutor(threads)), (mails, store) -> {
            var subscription = mails.never("you").subscribe();
            awaitRun(mails);
            threads.shutdown();
            subscription.dispose();

            awaitNotHeld(store, Key.of("never", "you"));
        });
    }

    private static void awaitRun(Mails mails) {
        while (mails.runs() == 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void awaitNotHeld(MemoryStore store, Key key) {
        while (store.look(key).map(Slot::state).orElse(Slot.State.HELD) == Slot.State.HELD) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(store.look(key).orElseThrow().state()).isEqualTo(Slot.State.LAPSED);
    }

    @Test
    void aFutureIsRecordedWhenItEndsAndNotBefore() {
        withMails((mails, store) -> {
            CompletableFuture<Mail> first = mails.send("you");
            assertThat(store.look(Key.of("send", "you")).orElseThrow().state()).isEqualTo(Slot.State.HELD);
            assertThat(first).isNotDone();
            assertThatThrownBy(() -> mails.send("you").get()).hasCauseInstanceOf(NotDone.class);
            mails.sent().complete(new Mail("you", 1));
            assertThat(first.join()).isEqualTo(new Mail("you", 1));
            assertThat(store.look(Key.of("send", "you")).orElseThrow().state()).isEqualTo(Slot.State.SETTLED);
            assertThat(mails.send("you").join()).isEqualTo(new Mail("you", 1));
            assertThat(mails.runs()).isOne();
        });
    }

    @Test
    void theListOfAStageComesBackWithItsElements() {
        withMails((mails, store) -> {
            List<Mail> first = mails.sendAll("you").toCompletableFuture().join();
            assertThat(mails.sendAll("you").toCompletableFuture().join()).isEqualTo(first);
        });
    }

    @Test
    void aFutureThatFailsForgetsTheCallUnlessItIsAnAnswer() {
        withMails((mails, store) -> {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> mails.fail("you").get())
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> mails.refuse("you").get())
                        .cause()
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("no such address");
            }
            assertThat(mails.runs()).isEqualTo(3);
        });
    }

    @Test
    void aMonoRunsOncePerKeyHoweverOftenItIsSubscribedTo() {
        withMails((mails, store) -> {
            Mono<Mail> mono = mails.mono("you");
            assertThat(mails.runs()).isZero();
            Mail first = mono.block();
            assertThat(mono.block()).isEqualTo(first);
            assertThat(mails.mono("you").block()).isEqualTo(first);
            assertThat(mails.runs()).isOne();
        });
    }

    @Test
    void anEmptyMonoIsAnAnswer() {
        withMails((mails, store) -> {
            mails.monoOfNothing("you").block();
            mails.monoOfNothing("you").block();
            assertThat(mails.runs()).isOne();
        });
    }

    @Test
    void aFluxIsRecordedAsAWhole() {
        withMails((mails, store) -> {
            List<Mail> first = mails.flux("you").collectList().block();
            assertThat(first).hasSize(3);
            assertThat(mails.flux("you").collectList().block()).isEqualTo(first);
            assertThat(mails.runs()).isEqualTo(3);
        });
    }

    @Test
    void aMonoThatFailsForgetsTheCall() {
        withMails((mails, store) -> {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> mails.monoFails("you").block())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("no post today");
            }
            assertThat(mails.runs()).isEqualTo(2);
        });
    }

    @Test
    void aSubscriberThatCancelsLeavesTheCallAbandoned() {
        withMails((mails, store) -> {
            var subscription = mails.never("you").subscribe();
            awaitRun(mails);
            subscription.dispose();
            awaitNotHeld(store, Key.of("never", "you"));
        });
    }
}
