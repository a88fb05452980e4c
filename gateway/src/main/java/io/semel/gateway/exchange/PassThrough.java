// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.semel.gateway.budget.UnreadOutput;
import io.semel.gateway.http.HeaderFilter;
import io.semel.gateway.http.Refusal;
import io.semel.gateway.traffic.Traffic.Count;
import io.semel.gateway.upstream.UpstreamConnection;
import io.semel.gateway.upstream.UpstreamExchange;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Passes a request without a key on, and its response back, part by part, at the pace of the slower side. */
final class PassThrough implements Exchange, UpstreamExchange {

    private final ClientExchange client;
    private final GatewayContext gateway;
    private final Route route;
    private final RequestHead head;
    private final HttpMethod method;
    private @Nullable HttpRequest request;
    private @Nullable UpstreamConnection link;
    private @Nullable HttpContent early;
    private boolean repeatable;
    private boolean answered;
    private boolean switching;
    private boolean over;
    /** What the service has not taken of a body is held for the client. */
    private @Nullable UnreadOutput untaken;

    private final Duration window;
    private long came;
    private boolean stalled;

    PassThrough(ClientExchange client, GatewayContext gateway, Route route, RequestHead head) {
        this.client = client;
        this.gateway = gateway;
        this.route = route;
        this.head = head;
        this.method = head.request().method();
        this.window = KeyedRequest.WINDOW.compareTo(gateway.limits.idleTime()) < 0
                ? KeyedRequest.WINDOW
                : gateway.limits.idleTime();
        this.repeatable = method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
    }

    void begin() {
        if (client.isGone()) {
            client.leave();
            return;
        }
        client.give(this);
        request = gateway.forwarding.prepare(head.request(), client.channel(), route.settings());
        gateway.ids.add(request.headers(), head.note().id());
        gateway.upstreams.acquire(client.loop(), route.settings().upstream(), this);
    }

    @Override
    public @Nullable Object client() {
        return gateway.client(head.request().headers(), client.channel());
    }

    @Override
    public void connected(UpstreamConnection connected) {
        if (over || request == null) {
            connected.close();
            return;
        }
        link = connected;
        head.note().asking();
        connected.begin(this, request);
        HttpContent first = early;
        early = null;
        if (first != null) {
            body(first);
        } else {
            client.read();
        }
        if (!over && client.isReadingBody()) {
            hurry();
        }
        connected.flush();
    }

    /** Each window in which the service waits for the client has to bring its share of bytes. */
    private void hurry() {
        came = 0;
        client.within(window);
    }

    @Override
    public void unreachable(Throwable cause) {
        if (!over) {
            gateway.traffic.add(Count.UNREACHABLE);
            over = true;
            drop();
            client.unreachable(cause);
        }
    }

    @Override
    public void body(HttpContent content) {
        if (over) {
            content.release();
            return;
        }
        UpstreamConnection to = link;
        if (to == null) {
            early = content;
            return;
        }
        boolean last = content instanceof LastHttpContent;
        repeatable &= last && !content.content().isReadable();
        HeaderFilter.removeTrailers(content);
        if (last) {
            end(to, content);
        } else {
            pass(to, content);
        }
    }

    private void end(UpstreamConnection to, HttpContent last) {
        client.unhurried();
        UnreadOutput held = untaken;
        if (held == null) {
            to.write(last);
        } else {
            held.waitsNoMore();
            to.write(last, held::clear);
        }
        to.flush();
    }

    private void pass(UpstreamConnection to, HttpContent part) {
        came += part.content().readableBytes();
        UnreadOutput held = untaken;
        if (held == null) {
            held = new UnreadOutput(to.channel(), client.charge(), this::crowdedOut);
            untaken = held;
        }
        to.write(part);
        to.flush();
        if (!held.fits()) {
            crowdedOut();
        } else if (to.isWritable()) {
            if (came >= gateway.limits.bodyRate() * window.toMillis() / 1000) {
                hurry();
            }
            client.read();
        } else {
            stalled = true;
            client.within(gateway.limits.idleTime());
        }
    }

    /** Others need the room that this body takes, which does not go on. */
    private void crowdedOut() {
        if (!over && client.isReadingBody()) {
            gateway.traffic.add(Count.UNREAD);
            client.tooSlow();
        }
    }

    @Override
    public Refusal tooSlow() {
        if (link == null) {
            return Refusal.TOO_SLOW;
        }
        return link.isWritable() ? Refusal.BODY_CUT_SHORT : Refusal.UPSTREAM_SILENT;
    }

    @Override
    public void writable() {
        if (link == null || !link.isWritable()) {
            return;
        }
        if (untaken != null && client.isReadingBody()) {
            untaken.fits();
        }
        if (stalled) {
            stalled = false;
            hurry();
        }
        client.read();
    }

    @Override
    public void head(HttpResponse response) {
        answered = true;
        switching = response.status().code() == HttpResponseStatus.SWITCHING_PROTOCOLS.code();
        response.setProtocolVersion(HttpVersion.HTTP_1_1);
        if (switching && link != null && !Tunnel.admit(gateway, client.channel())) {
            link.close();
            answered = false;
            refuse(Refusal.OVERLOADED);
            return;
        }
        if (!switching) {
            HeaderFilter.removeHopByHopOfResponse(response.headers());
            frame(response);
        }
        client.send(response);
    }

    /** A response that the upstream ends by closing its connection is framed here, so that the client's connection stays open. */
    private void frame(HttpResponse response) {
        HttpHeaders headers = response.headers();
        int status = response.status().code();
        boolean empty = method.equals(HttpMethod.HEAD) || status == 204 || status == 304;
        headers.remove(HttpHeaderNames.TRANSFER_ENCODING);
        if (!empty && !headers.contains(HttpHeaderNames.CONTENT_LENGTH)) {
            headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
    }

    @Override
    public void content(HttpContent content) {
        boolean last = content instanceof LastHttpContent;
        if (last) {
            head.note().asked();
        }
        if (last && switching && link != null) {
            over = true;
            client.surrender(content);
            Tunnel.join(gateway, client.channel(), link);
            return;
        }
        if (last) {
            over = true;
            drop();
        }
        HeaderFilter.removeTrailers(content);
        client.send(content);
        if (!last && link != null && !client.isWritable()) {
            link.pause();
            client.within(gateway.limits.idleTime());
        }
    }

    @Override
    public void pausing() {
        client.flush();
    }

    @Override
    public void clientWritable() {
        if (link != null && !over) {
            if (client.isReadingBody()) {
                hurry();
            } else {
                client.unhurried();
            }
            link.resume();
        }
    }

    @Override
    public void failed(Throwable cause) {
        if (over) {
            return;
        }
        head.note().asked();
        boolean again = repeatable && !answered && link != null && link.wasClosedUnseen(cause);
        if (again) {
            // The upstream had closed the connection before it could see the request, which changes nothing there.
            repeatable = false;
            early = LastHttpContent.EMPTY_LAST_CONTENT;
            link = null;
            gateway.upstreams.connect(client.loop(), route.settings().upstream(), this);
            return;
        }
        gateway.traffic.add(Count.SILENT);
        if (answered) {
            over = true;
            drop();
            client.abort();
        } else {
            refuse(cause instanceof SocketTimeoutException ? Refusal.UPSTREAM_SILENT : Refusal.UPSTREAM_FAILED);
        }
    }

    private void refuse(Refusal refusal) {
        over = true;
        drop();
        client.refuse(refusal);
    }

    @Override
    public void clientGone() {
        if (over) {
            return;
        }
        over = true;
        drop();
        if (link != null) {
            link.close();
        }
        head.note().cut();
        client.leave();
    }

    private void drop() {
        if (untaken != null) {
            untaken.clear();
        }
        if (early != null) {
            early.release();
            early = null;
        }
    }
}
