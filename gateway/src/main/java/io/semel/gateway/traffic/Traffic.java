// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.traffic;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Counts requests and connections that the engine does not see. */
public final class Traffic {

    /** A kind of count. */
    public enum Count {
        /** Requests that took no part and went to the upstream as they came. */
        PASSED,
        /** Requests that were run without protection, because the store could not be asked and the route fails open. */
        UNPROTECTED,
        /** Requests with a key that went to the upstream. */
        FORWARDED,
        /** Requests that the gateway refused by itself, for any other reason than a quota. */
        REFUSED,
        /** Requests with a new key whose caller, or address, has stored as much as it may for now. */
        QUOTA_USED_UP,
        /** Messages that are not HTTP as it should be. */
        MALFORMED,
        /** Upstreams that could not be reached. */
        UNREACHABLE,
        /** Upstreams that did not answer, or not to the end. */
        SILENT,
        /** Clients that were gone when their answer came. */
        CLIENT_GONE,
        /** Connections and streams that were closed because their client did not read, or end what it sent, and others needed the room. */
        UNREAD,
        /** Connections that were closed because there are too many. */
        TURNED_AWAY
    }

    private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);
    private volatile Consumer<Count> ear = count -> {};
    private volatile Consumer<ObservedRequest> eye = request -> {};
    private volatile Consumer<CompletedRequest> end = request -> {};
    private final LongAdder exchanges = new LongAdder();

    public Traffic() {
        for (Count count : Count.values()) {
            counts.put(count, new LongAdder());
        }
    }

    public void add(Count count) {
        counts.getOrDefault(count, exchanges).increment();
        ear.accept(count);
    }

    /** Registers a listener for every count, called in the counting thread. */
    public void tell(Consumer<Count> listener) {
        ear = listener;
    }

    /** Registers listeners for keyed requests: when their fate is known, and when they have ended. Called in the request's thread. */
    public void tellRequests(Consumer<ObservedRequest> listener, Consumer<CompletedRequest> ending) {
        eye = listener;
        end = ending;
    }

    public void ended(CompletedRequest request) {
        end.accept(request);
    }

    public void seen(ObservedRequest request) {
        eye.accept(request);
    }

    public long count(Count count) {
        return counts.getOrDefault(count, exchanges).sum();
    }

    public void exchange(int change) {
        exchanges.add(change);
    }

    /** Requests in progress. */
    public long exchanges() {
        return exchanges.sum();
    }
}
