// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What {@link HttpDoor#admit} says of a request before its body is read. */
public sealed interface Admission {

    /** The body need not be read: the request passes, or is refused. */
    record Decided(Entry entry) implements Admission {}

    /** The request has a key, so its body is compared: feed it in chunks, then {@link #enter}. For one thread at a time. */
    final class Reading implements Admission {

        private final HttpDoor door;
        private final Request request;
        private final Key key;
        private final @Nullable Instant firstSent;
        private final RequestDigest digest;
        private @Nullable BadBody bad;
        private boolean entered;

        Reading(HttpDoor door, Request request, Key key, @Nullable Instant firstSent, RequestDigest digest) {
            this.door = door;
            this.request = request;
            this.key = key;
            this.firstSent = firstSent;
            this.digest = digest;
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
                throw new IllegalStateException("A request enters once; " + key + " has entered before.");
            }
            entered = true;
            if (bad == null) {
                try {
                    return door.enter(request, call(digest.finish()));
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

        private Call call(Fingerprint fingerprint) {
            Call call = Call.of(key, fingerprint);
            return firstSent == null ? call : call.firstSentAt(firstSent);
        }
    }
}
