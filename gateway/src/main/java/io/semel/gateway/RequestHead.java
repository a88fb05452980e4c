// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpRequest;
import io.semel.http.Caller;
import io.semel.http.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request's head, as the door sees it. */
final class RequestHead implements Request {

    /** The name under which a key that was found in the body is shown to the door. */
    static final String KEY = "Idempotency-Key";

    private final HttpRequest request;
    private final Channel channel;
    private final Callers callers;
    private final String path;
    private final @Nullable String query;
    private final @Nullable String key;

    private RequestHead(
            HttpRequest request,
            Channel channel,
            Callers callers,
            String path,
            @Nullable String query,
            @Nullable String key) {
        this.request = request;
        this.channel = channel;
        this.callers = callers;
        this.path = path;
        this.query = query;
        this.key = key;
    }

    static RequestHead of(HttpRequest request, Channel channel, Callers callers) {
        String target = request.uri();
        int mark = target.indexOf('?');
        return new RequestHead(
                request,
                channel,
                callers,
                mark < 0 ? target : target.substring(0, mark),
                mark < 0 ? null : target.substring(mark + 1),
                null);
    }

    /** This head with a key that was found elsewhere, in place of the client's own. */
    RequestHead withKey(String found) {
        return new RequestHead(request, channel, callers, path, query, found);
    }

    HttpRequest request() {
        return request;
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
        return key != null && name.equalsIgnoreCase(KEY)
                ? List.of(key)
                : request.headers().getAll(name);
    }

    @Override
    public Caller caller() {
        return callers.of(request.headers(), channel);
    }
}
