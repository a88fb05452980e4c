// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

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
import io.semel.gateway.Traffic.Count;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;

/** Passes a request that takes no part on, and its answer back, part by part, as fast as the slower side takes them. */
final class Relay implements Exchange, UpstreamConnector.Waiting, UpstreamLink.Reader {

    private final Front front;
    private final Site site;
    private final Route route;
    private final RequestHead head;
    private final HttpMethod method;
    private @Nullable HttpRequest request;
    private @Nullable UpstreamLink link;
    private @Nullable HttpContent early;
    private boolean repeatable;
    private boolean answered;
    private boolean switching;
    private boolean over;

    Relay(Front front, Site site, Route route, RequestHead head) {
        this.front = front;
        this.site = site;
        this.route = route;
        this.head = head;
        this.method = head.request().method();
        this.repeatable = method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
    }

    void begin() {
        if (front.isGone()) {
            front.leave();
            return;
        }
        front.give(this);
        request = site.forwarding.prepare(head.request(), front.channel(), route.settings());
        site.ids.tell(request.headers(), head.note());
        site.pool().acquire(front.loop(), route.settings().upstream(), this);
    }

    @Override
    public void connected(UpstreamLink connected) {
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
            front.read();
        }
        connected.flush();
    }

    @Override
    public void unreachable(Throwable cause) {
        if (!over) {
            site.traffic.add(Count.UNREACHABLE);
            refuse(Refusal.unreachable(cause));
        }
    }

    @Override
    public void body(HttpContent content) {
        if (over) {
            content.release();
            return;
        }
        UpstreamLink to = link;
        if (to == null) {
            early = content;
            return;
        }
        boolean last = content instanceof LastHttpContent;
        repeatable &= last && !content.content().isReadable();
        HopByHop.removeTrailers(content);
        to.write(content);
        to.flush();
        if (last) {
            front.unhurried();
        } else {
            front.within(site.limits.idleTime());
            writable();
        }
    }

    @Override
    public void writable() {
        if (link != null && link.isWritable()) {
            front.read();
        }
    }

    @Override
    public void head(HttpResponse response) {
        answered = true;
        switching = response.status().code() == HttpResponseStatus.SWITCHING_PROTOCOLS.code();
        response.setProtocolVersion(HttpVersion.HTTP_1_1);
        if (switching && link != null && !Tunnel.admit(site, front.channel())) {
            link.close();
            answered = false;
            refuse(Refusal.OVERLOADED);
            return;
        }
        if (!switching) {
            HopByHop.remove(response.headers());
            frame(response);
        }
        front.send(response);
    }

    /** What the upstream ends by closing its connection is ended otherwise here, so that ours can stay open. */
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
            front.surrender(content);
            Tunnel.join(site, front.channel(), link);
            return;
        }
        if (last) {
            over = true;
        }
        HopByHop.removeTrailers(content);
        front.send(content);
        if (!last && link != null && !front.isWritable()) {
            link.pause();
            front.within(site.limits.idleTime());
        }
    }

    @Override
    public void pausing() {
        front.flush();
    }

    @Override
    public void clientWritable() {
        if (link != null && !over) {
            front.unhurried();
            link.resume();
        }
    }

    @Override
    public void failed(Throwable cause) {
        if (over) {
            return;
        }
        head.note().asked();
        boolean again = repeatable && !answered && link != null && link.isReused();
        if (again) {
            // The upstream had closed the connection before it could see the request, which changes nothing there.
            repeatable = false;
            early = LastHttpContent.EMPTY_LAST_CONTENT;
            link = null;
            site.pool().connect(front.loop(), route.settings().upstream(), this);
            return;
        }
        site.traffic.add(Count.SILENT);
        if (answered) {
            over = true;
            front.abort();
        } else {
            refuse(cause instanceof SocketTimeoutException ? Refusal.UPSTREAM_SILENT : Refusal.UPSTREAM_FAILED);
        }
    }

    private void refuse(Refusal refusal) {
        over = true;
        drop();
        front.refuse(refusal);
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
        front.leave();
    }

    private void drop() {
        if (early != null) {
            early.release();
            early = null;
        }
    }
}
