// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpRequest;
import io.semel.gateway.callers.CallerRefused;
import io.semel.gateway.callers.CallerResolver;
import io.semel.gateway.http.ForwardedHeaders;
import io.semel.gateway.traffic.AccessRecord;
import io.semel.http.Caller;
import io.semel.http.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The head of a request, as the HTTP rules see it. */
final class RequestHead implements Request {

    private static final String HOST = "Host";

    private final HttpRequest request;
    private final Channel channel;
    private final CallerResolver callers;
    private final AccessRecord note;
    private final String path;
    private final @Nullable String query;
    private final @Nullable String key;
    private @Nullable Caller caller;
    private @Nullable CallerRefused refused;

    private RequestHead(
            HttpRequest request,
            Channel channel,
            CallerResolver callers,
            AccessRecord note,
            String path,
            @Nullable String query,
            @Nullable String key) {
        this.request = request;
        this.channel = channel;
        this.callers = callers;
        this.note = note;
        this.path = path;
        this.query = query;
        this.key = key;
    }

    static RequestHead of(HttpRequest request, Channel channel, CallerResolver callers, AccessRecord note) {
        String target = request.uri();
        int mark = target.indexOf('?');
        return new RequestHead(
                request,
                channel,
                callers,
                note,
                mark < 0 ? target : target.substring(0, mark),
                mark < 0 ? null : target.substring(mark + 1),
                null);
    }

    /** This head with a key that was found elsewhere, in place of the client's own. */
    RequestHead withKey(String found) {
        RequestHead keyed = new RequestHead(request, channel, callers, note, path, query, found);
        keyed.caller = caller;
        keyed.refused = refused;
        return keyed;
    }

    HttpRequest request() {
        return request;
    }

    /** The record of the request for the access log. */
    AccessRecord note() {
        return note;
    }

    @Nullable
    String foundKey() {
        return key;
    }

    @Override
    public String method() {
        return request.method().name();
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public @Nullable String query() {
        return query;
    }

    @Override
    public List<String> headers(String name) {
        if (key != null && name.equalsIgnoreCase(ForwardedHeaders.KEY)) {
            return List.of(key);
        }
        List<String> lines = request.headers().getAll(name);
        return name.equalsIgnoreCase(HOST)
                ? lines.stream().map(CallerResolver::canonicalHost).toList()
                : lines;
    }

    /** Whether {@link #caller} returns or refuses at once, without asking another service. */
    boolean knowsCaller() {
        if (caller == null && refused == null) {
            try {
                caller = callers.known(request.headers(), channel);
            } catch (CallerRefused e) {
                // Only a request with a key has to have a caller.
                refused = e;
            }
        }
        return caller != null || refused != null;
    }

    /** Determined once, because it may take a call to another service. */
    @Override
    public Caller caller() {
        if (refused != null) {
            throw refused;
        }
        Caller known = caller;
        if (known == null) {
            known = callers.of(request.headers(), channel);
            caller = known;
        }
        return known;
    }
}
