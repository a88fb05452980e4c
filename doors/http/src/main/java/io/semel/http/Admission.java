// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Fingerprint;
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
        private final boolean numbered;
        private final Function<Fingerprint, Entry> ask;
        private @Nullable BadBody bad;
        private boolean entered;

        Reading(HttpDoor door, RequestDigest digest, boolean numbered, Function<Fingerprint, Entry> ask) {
            this.door = door;
            this.digest = digest;
            this.numbered = numbered;
            this.ask = ask;
        }

        /**
         * Whether it is a request of a session. Its client is heard of then even if nothing runs, so a transaction around it
         * is to be committed in any case, unless the store failed.
         */
        public boolean isNumbered() {
            return numbered;
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
            if (entered) {
                throw new IllegalStateException("A request enters once; this one has entered before.");
            }
            entered = true;
            if (bad == null) {
                try {
                    return ask.apply(digest.finish());
                } catch (BadBody e) {
                    bad = e;
                }
            }
            return door.refuse(bad.type(), bad.detail());
        }

        /** Instead of {@link #enter}, where what the store needs, such as a transaction, cannot be had: nothing runs. */
        public Entry unavailable(Throwable cause) {
            return door.unavailable(cause);
        }
    }
}
