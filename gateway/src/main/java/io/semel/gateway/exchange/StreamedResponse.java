// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.semel.gateway.http.HeaderFilter;
import io.semel.gateway.traffic.Traffic.Count;
import io.semel.gateway.upstream.UpstreamConnection;
import io.semel.http.Answer.Header;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** A response that is too large to be recorded: it goes to the client part by part, once the store knows that it is not kept. */
final class StreamedResponse {

    private final ClientExchange client;
    private final GatewayContext gateway;
    private @Nullable UpstreamConnection link;
    /** Parts that arrived before the connection could be paused. */
    private final Queue<HttpContent> queue = new ArrayDeque<>();

    private boolean streaming;
    private boolean broken;
    private boolean over;

    StreamedResponse(ClientExchange client, GatewayContext gateway, @Nullable UpstreamConnection link) {
        this.client = client;
        this.gateway = gateway;
        this.link = link;
        if (link != null) {
            link.pause();
        }
    }

    /** @param more headers that the run adds */
    void begin(HttpResponse head, List<Header> more, HttpContent collected) {
        HeaderFilter.removeHopByHopOfResponse(head.headers());
        more.forEach(header -> head.headers().set(header.name(), header.value()));
        head.headers().remove(HttpHeaderNames.TRANSFER_ENCODING);
        if (!head.headers().contains(HttpHeaderNames.CONTENT_LENGTH)) {
            head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        streaming = true;
        client.send(head);
        client.send(collected);
        while (!queue.isEmpty()) {
            send(queue.remove());
        }
        flush();
        if (broken) {
            breakOff();
        } else {
            clientWritable();
        }
    }

    void content(HttpContent content) {
        if (content instanceof LastHttpContent) {
            // The connection carries the next exchange from now on.
            link = null;
        }
        if (over) {
            content.release();
        } else if (streaming) {
            send(content);
        } else {
            queue.add(content);
        }
    }

    private void send(HttpContent content) {
        if (content instanceof LastHttpContent) {
            over = true;
            client.note().asked();
        }
        HeaderFilter.removeTrailers(content);
        client.send(content);
        if (link != null && !client.isWritable() && !client.isGone()) {
            link.pause();
            client.within(gateway.limits.idleTime());
        }
    }

    void flush() {
        if (streaming && !over) {
            client.flush();
        }
    }

    void clientWritable() {
        if (streaming && link != null && (client.isWritable() || client.isGone())) {
            client.unhurried();
            link.resume();
        }
    }

    /** The upstream has failed in the middle of the response. */
    void failed() {
        link = null;
        if (!streaming) {
            broken = true;
        } else if (!over) {
            gateway.traffic.add(Count.SILENT);
            client.note().asked();
            breakOff();
        }
    }

    private void breakOff() {
        over = true;
        client.abort();
    }

    /** The client gets another answer instead. */
    void discard() {
        over = true;
        while (!queue.isEmpty()) {
            queue.remove().release();
        }
    }
}
