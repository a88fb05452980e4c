// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Fingerprint;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What {@link HttpDoor#admit} says of a request before its body is read. */
public sealed interface Admission {

    /** The body need not be read: the request passes, or is refused. */
    record Decided(Entry entry) implements Admission {}

    /** The request is about a session and not for any handler; its body has no meaning. */
    final class ForDoor implements Admission {

        private final Supplier<Entry> desk;

        ForDoor(Supplier<Entry> desk) {
            this.desk = desk;
        }

        /** Asks the store of sessions, and can block; what comes back is to be sent. */
        public Entry enter() {
            return desk.get();
        }
    }

    /** The request has a key or a number, so its body is compared: feed it in chunks, then {@link #enter}. For one thread at a time. */
    final class Reading implements Admission {

        private final HttpDoor door;
        private final RequestDigest digest;
        private final HttpDoor.Lane lane;
        private final Request request;
        private final Function<Fingerprint, Call> call;
        private @Nullable BadBody bad;
        private boolean entered;

        Reading(
                HttpDoor door,
                RequestDigest digest,
                HttpDoor.Lane lane,
                Request request,
                Function<Fingerprint, Call> call) {
            this.door = door;
            this.digest = digest;
            this.lane = lane;
            this.request = request;
            this.call = call;
        }

        /**
         * Whether it is a request of a session. Its client is heard of then even if nothing runs, so a transaction around it
         * is to be committed in any case, unless the store failed.
         */
        public boolean isNumbered() {
            return lane.numbered();
        }

        /** Takes some more of the body; false says that the rest need not be read, because the request will be refused. */
        public boolean update(byte[] bytes, int from, int length) {
            if (bad == null) {
                try {
                    digest.update(bytes, from, length);
                } catch (BadBody e) {
                    bad = e;
                }
            }
            return bad == null;
        }

        /** Asks the store, now that the body is complete; the only step that can block. */
        public Entry enter() {
            Call asked = call();
            return asked == null ? refusal() : door.enter(lane, request, asked);
        }

        /**
         * Many {@link #enter}s with one question to the store. What each would have given is in its place; most are there
         * already, and what takes more than that one question is done by {@code others}.
         */
        public static List<CompletableFuture<Entry>> enterAll(List<Reading> readings, Executor others) {
            return Together.enter(readings, others);
        }

        /** What the request asks for; null if nothing may be asked for, because its body is bad. */
        @Nullable
        Call call() {
            if (entered) {
                throw new IllegalStateException("A request enters once; this one has entered before.");
            }
            entered = true;
            if (bad == null) {
                try {
                    return call.apply(digest.finish());
                } catch (BadBody e) {
                    bad = e;
                }
            }
            return null;
        }

        HttpDoor.Lane lane() {
            return lane;
        }

        /** What became of what it asked for. */
        Entry entered(Supplier<Begun<Answer>> begun) {
            return door.entered(lane, request, begun);
        }

        Entry refusal() {
            BadBody fault = Objects.requireNonNull(bad);
            return door.refuse(fault.type(), fault.detail());
        }

        /** Instead of {@link #enter}, where what the store needs, such as a transaction, cannot be had: nothing runs. */
        public Entry unavailable(Throwable cause) {
            return door.unavailable(cause);
        }
    }
}
