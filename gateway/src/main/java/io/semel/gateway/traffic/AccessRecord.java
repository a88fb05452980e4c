// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.traffic;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpRequest;
import io.semel.Key;
import io.semel.gateway.http.RequestIds;
import io.semel.gateway.log.AccessLine;
import io.semel.http.Problem;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The record of one request for the access log, from its head to the end of its response; for its event loop alone. */
public final class AccessRecord {

    private static final int MOST_METHOD = 32;
    private static final int MOST_PATH = 1000;

    private final Instant at = Instant.now();
    private final long start = System.nanoTime();
    private final String id;
    private final @Nullable String trace;
    private final String client;
    private final String method;
    private final String path;
    private @Nullable String route;
    private @Nullable Key key;
    private @Nullable String caller;
    private @Nullable String outcome;
    private @Nullable String code;
    private @Nullable Long fence;
    private int status;
    private long bytes;
    private long asked;
    private long serviceNanos = -1;
    private boolean cut;

    private AccessRecord(String id, HttpRequest request, SocketAddress client) {
        String target = request.uri();
        int mark = target.indexOf('?');
        this.id = id;
        this.trace = RequestIds.traceId(request.headers());
        this.client = client instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : "unknown";
        this.method = cut(request.method().name(), MOST_METHOD);
        this.path = cut(mark < 0 ? target : target.substring(0, mark), MOST_PATH);
    }

    /** A client decides how long it is, and lines may wait for a disk in great number. */
    private static String cut(String text, int most) {
        return text.length() > most ? text.substring(0, most) + "…" : text;
    }

    /** Of a request whose head has arrived on that channel. */
    public static AccessRecord of(HttpRequest request, Channel channel, RequestIds ids) {
        return new AccessRecord(ids.of(request.headers(), channel.remoteAddress()), request, channel.remoteAddress());
    }

    public String id() {
        return id;
    }

    @Nullable
    public String trace() {
        return trace;
    }

    String method() {
        return method;
    }

    String path() {
        return path;
    }

    /** For the lines of other logs. */
    @Override
    public String toString() {
        return trace == null ? "[request " + id + "]" : "[request " + id + ", trace " + trace + "]";
    }

    public void routed(String operation) {
        route = operation;
    }

    /**
     * The request has this key.
     *
     * @param scope whose key it is
     */
    public void keyed(Key asked, String scope) {
        key = asked;
        caller = scope;
    }

    /** It was given to the service with this fence. */
    public void fenced(long number) {
        fence = number;
    }

    public void became(String word) {
        outcome = word;
        code = null;
    }

    /**
     * The request was refused.
     *
     * @param type the name of a problem
     */
    public void refused(String type) {
        became("refused");
        code = type;
    }

    public void refused(Problem.Type type) {
        became(
                switch (type) {
                    case IN_PROGRESS -> "busy";
                    case KEY_REUSED -> "mismatch";
                    case OUTCOME_UNKNOWN -> "unknown";
                    default -> "refused";
                });
        code = type.slug();
    }

    /** The service has it from now on. */
    public void asking() {
        asked = System.nanoTime();
        serviceNanos = Math.max(0, serviceNanos);
    }

    /** The service has answered it, or never will. */
    public void asked() {
        if (asked != 0) {
            serviceNanos += System.nanoTime() - asked;
            asked = 0;
        }
    }

    public void answered(int code) {
        status = code;
    }

    public void sent(int length) {
        bytes += length;
    }

    /** The client does not get the rest of the response. */
    public void cut() {
        cut = true;
    }

    /** Null where it has no key. */
    @Nullable
    public CompletedRequest end() {
        return key == null ? null : new CompletedRequest(key, id, status, outcome(), code);
    }

    private String outcome() {
        return outcome == null ? "left" : outcome;
    }

    public AccessLine line() {
        asked();
        return new AccessLine(
                at,
                id,
                trace,
                client,
                method,
                path,
                route,
                caller,
                key,
                outcome(),
                code,
                fence,
                status,
                bytes,
                Duration.ofNanos(System.nanoTime() - start),
                serviceNanos < 0 ? null : Duration.ofNanos(serviceNanos),
                cut);
    }
}
