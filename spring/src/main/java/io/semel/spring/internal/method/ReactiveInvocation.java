// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Rejection;
import io.semel.spring.internal.transaction.CommitFailures;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The invocation of methods that return a Mono or a Flux: each subscription is a call. The elements of a Flux are recorded as a list, and
 * only then given. A subscriber that cancels leaves the attempt abandoned, because nobody knows how far it got.
 *
 * @param waiting where the store may be waited for
 */
public record ReactiveInvocation(boolean many, Scheduler waiting) implements InvocationStyle {

    public static ReactiveInvocation of(boolean many) {
        return new ReactiveInvocation(many, Schedulers.boundedElastic());
    }

    @Override
    public Object invoke(MethodPlan plan, Call call, MethodInvocation invocation) {
        Mono<Object> once = Mono.defer(() -> begin(plan, call, invocation)).subscribeOn(waiting);
        return many ? once.flatMapIterable(list -> (List<?>) list) : once;
    }

    private Mono<Object> begin(MethodPlan plan, Call call, MethodInvocation invocation) {
        Begun<Optional<Object>> begun;
        try {
            begun = plan.engine().begin(call, plan.codec());
        } catch (Rejection rejection) {
            return Mono.error(plan.recorded().answer(rejection));
        }
        return begun instanceof Begun.Answered<Optional<Object>> answered
                ? Mono.justOrEmpty(answered.outcome().orThrow())
                : run(plan, (Begun.Started<Optional<Object>>) begun, invocation);
    }

    private Mono<Object> run(MethodPlan plan, Begun.Started<Optional<Object>> started, MethodInvocation invocation) {
        AtomicBoolean ended = new AtomicBoolean();
        return published(started, invocation)
                .materialize()
                .publishOn(waiting)
                .doOnNext(signal -> {
                    if (ended.compareAndSet(false, true)) {
                        end(plan, started, signal);
                    }
                })
                .<Object>dematerialize()
                .onErrorMap(Ended.class, carrier -> Objects.requireNonNull(carrier.getCause()))
                // What ends in an error was taken for a signal above: this one says that there was no thread to end it
                // on.
                .doOnError(thrown -> {
                    if (ended.compareAndSet(false, true)) {
                        started.abandon();
                    }
                })
                .doOnCancel(() -> {
                    if (ended.compareAndSet(false, true)) {
                        elsewhere(started::abandon);
                    }
                });
    }

    /** In this thread if no other is available: otherwise the attempt would be renewed for long. */
    private void elsewhere(Runnable ending) {
        try {
            waiting.schedule(ending);
        } catch (RejectedExecutionException e) {
            ending.run();
        }
    }

    private static void end(MethodPlan plan, Begun.Started<Optional<Object>> started, Signal<Object> signal) {
        Throwable thrown = signal.getThrowable();
        if (thrown != null) {
            throw new Ended(plan.fail(started, thrown, CommitFailures.mayBeOne(thrown)));
        }
        started.complete(Optional.ofNullable(signal.get()));
    }

    @SuppressWarnings("unchecked") // a list is an object
    private Mono<Object> published(Begun.Started<Optional<Object>> started, MethodInvocation invocation) {
        try {
            Optional<Object> publisher = AttemptHolder.during(
                    started.attempt(), () -> Optional.ofNullable(InvocationStyle.proceed(again(invocation))));
            return publisher
                    .map(it -> it instanceof Flux<?> flux
                            ? (Mono<Object>) (Mono<?>) flux.collectList()
                            : (Mono<Object>) it)
                    .orElseGet(Mono::empty);
        } catch (Exception | Error thrown) {
            return Mono.error(thrown);
        }
    }

    /** An invocation can proceed only once; subscriptions may come often. */
    private static MethodInvocation again(MethodInvocation invocation) {
        return invocation instanceof ProxyMethodInvocation proxied ? proxied.invocableClone() : invocation;
    }

    private static final class Ended extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Ended(Throwable cause) {
            super(cause);
        }
    }
}
