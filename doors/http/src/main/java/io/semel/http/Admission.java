// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.http.internal.body.BadBody;
import io.semel.http.internal.body.EventId;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The result of {@link HttpIdempotency#admit} for a request whose body has not been read. */
public sealed interface Admission {

    /** The body need not be read: the request passes, or is refused. */
    record Decided(RequestDecision decision) implements Admission {}

    /** The request registers, renews or closes a session, and goes to no handler; its body has no meaning. */
    final class ForSessions implements Admission {

        private final Supplier<RequestDecision> endpoint;

        ForSessions(Supplier<RequestDecision> endpoint) {
            this.endpoint = endpoint;
        }

        /** Asks the session store, and can block; send the decision. */
        public RequestDecision enter() {
            return endpoint.get();
        }
    }

    /** The request has a key or a number, so its body is compared: feed it in chunks, then {@link #enter}. For one thread at a time. */
    final class Reading implements Admission {

        private final HttpIdempotency door;
        private final RequestDigest digest;
        private final HttpIdempotency.Scheme scheme;
        private final Request request;
        private final Function<Fingerprint, @Nullable Call> call;
        private @Nullable BadBody bad;
        private final @Nullable EventId keyed;
        private boolean keyless;
        private @Nullable Call asked;
        private Duration waited = Duration.ZERO;
        private boolean asksAgain;
        private boolean entered;

        Reading(
                HttpIdempotency door,
                RequestDigest digest,
                HttpIdempotency.Scheme scheme,
                Request request,
                @Nullable EventId keyed,
                Function<Fingerprint, @Nullable Call> call) {
            this.keyed = keyed;
            this.door = door;
            this.digest = digest;
            this.scheme = scheme;
            this.request = request;
            this.call = call;
        }

        /**
         * Whether it is a request of a session. Its client is heard of then even if nothing runs, so a transaction around it
         * is to be committed in any case, unless the store failed.
         */
        public boolean isNumbered() {
            return scheme.numbered();
        }

        /** Takes some more of the body; false says that the rest need not be read, because the request will be refused. */
        public boolean update(byte[] bytes, int from, int length) {
            if (bad == null) {
                try {
                    digest.update(bytes, from, length);
                    if (keyed != null) {
                        keyed.update(bytes, from, length);
                    }
                } catch (BadBody e) {
                    bad = e;
                }
            }
            return bad == null;
        }

        /**
         * Says that this is one of several questions of one duplicate, whose door asks again by itself; see {@link Call#polling}.
         *
         * @param soFar how long the duplicate has waited
         * @param last whether its door gives up after this question
         */
        public Reading polling(Duration soFar, boolean last) {
            waited = soFar;
            asksAgain = !last;
            return this;
        }

        /** The key that was asked about; empty before {@link #enter}, and where nothing could be asked. */
        public Optional<Key> key() {
            return Optional.ofNullable(asked).map(Call::key);
        }

        /**
         * A replay or refusal that needs no run, now that the body is complete; empty if only {@link #enter} can
         * tell. It claims nothing. For those who begin a transaction before they enter: asked first, retries take none.
         */
        public Optional<RequestDecision> peek() {
            Call call = asked();
            return call == null ? Optional.of(refusal()) : door.peek(scheme, request, call);
        }

        /** Asks the store, now that the body is complete; the only step, beside {@link #peek}, that can block. */
        public RequestDecision enter() {
            Call call = call();
            return call == null ? refusal() : door.enter(scheme, request, call);
        }

        /**
         * Many {@link #enter}s with one question to the store. What each would have given is in its place; most are there
         * already, and what takes more than that one question is done by {@code others}.
         */
        public static List<CompletableFuture<RequestDecision>> enterAll(List<Reading> readings, Executor others) {
            return BatchedRequests.enter(readings, others);
        }

        /** The call for the store; null if the body is bad or has no key, or the store cannot be reached. */
        @Nullable
        Call call() {
            if (entered) {
                throw new IllegalStateException("A request enters once; this one has entered before.");
            }
            entered = true;
            return asked();
        }

        private @Nullable Call asked() {
            if (bad == null && asked == null && !keyless) {
                try {
                    Call read = call.apply(digest.finish());
                    keyless = read == null;
                    asked = read == null ? null : read.polling(waited, !asksAgain);
                } catch (BadBody e) {
                    bad = e;
                }
            }
            return asked != null && scheme.breaker().mayAsk() ? asked : null;
        }

        HttpIdempotency.Scheme scheme() {
            return scheme;
        }

        /** The decision that the engine's answer comes to. */
        RequestDecision entered(Supplier<Begun<Answer>> begun) {
            return door.entered(scheme, request, Objects.requireNonNull(asked), begun);
        }

        RequestDecision refusal() {
            if (keyless) {
                return door.keyless();
            }
            return bad == null ? door.unasked(scheme, Objects.requireNonNull(asked)) : door.refuse(bad);
        }

        /** Instead of {@link #enter}, where what the store needs, such as a transaction, cannot be had: nothing runs. */
        public RequestDecision unavailable(Throwable cause) {
            return door.unavailable(cause);
        }
    }
}
