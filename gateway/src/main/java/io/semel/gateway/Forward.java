// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.semel.gateway.Traffic.Count;
import io.semel.http.Answer.Header;
import io.semel.http.Entry;
import io.semel.http.Problem;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends a request with a key to its upstream, and has the answer recorded before the client hears of it. */
final class Forward implements Exchange, UpstreamConnector.Waiting, UpstreamLink.Reader {

    private static final System.Logger LOG = System.getLogger(Forward.class.getName());

    private final Front front;
    private final Site site;
    private final Route route;
    private final RequestHead head;
    private final Collected body;
    private final Entry.@Nullable Run run;
    private final Collected answer;
    private @Nullable UpstreamLink link;
    private @Nullable HttpResponse response;
    private boolean settling;
    private boolean streaming;
    private boolean over;

    /** @param run null where the store cannot be asked and the route fails open */
    Forward(Front front, Site site, Route route, RequestHead head, Collected body, Entry.@Nullable Run run) {
        this.front = front;
        this.site = site;
        this.route = route;
        this.head = head;
        this.body = body;
        this.run = run;
        this.answer = new Collected(site.budget);
    }

    void begin() {
        front.give(this);
        site.pool().acquire(front.loop(), route.settings().upstream(), this);
    }

    @Override
    public void connected(UpstreamLink connected) {
        link = connected;
        connected.begin(this);
        connected.write(request());
        connected.write(new DefaultLastHttpContent(body.buffer()));
        connected.flush();
        body.clear();
    }

    private HttpRequest request() {
        HttpRequest request = Forwarding.prepare(head.request(), front.channel(), route.settings());
        request.headers().remove(HttpHeaderNames.TRANSFER_ENCODING);
        request.headers().remove(HttpHeaderNames.TRAILER);
        request.headers().remove(HttpHeaderNames.UPGRADE);
        request.headers().remove(HttpHeaderNames.CONNECTION);
        request.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length());
        if (head.foundKey() != null) {
            request.headers().set(RequestHead.KEY, head.foundKey());
        }
        if (run != null) {
            request.headers().set(Forwarding.FENCE, run.attempt().fence());
            SessionExchange.conceal(request.headers(), run.attempt());
        }
        return request;
    }

    /** Nothing was sent, so that the key can be free again at once. */
    @Override
    public void unreachable(Throwable cause) {
        site.traffic.add(Count.UNREACHABLE);
        body.clear();
        settle(() -> release(cause), () -> front.refuse(Refusal.unreachable(cause)));
    }

    private Optional<Problem> release(Throwable cause) {
        if (run != null) {
            run.fail(cause);
        }
        return Optional.empty();
    }

    @Override
    public void head(HttpResponse received) {
        if (received.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS) && link != null) {
            link.close();
            failed(new IOException("it switched protocols, which it was not asked to"));
        }
        response = received;
    }

    @Override
    public void content(HttpContent content) {
        if (streaming) {
            stream(content);
            return;
        }
        byte[] bytes = Collected.copy(content.content());
        boolean last = content instanceof LastHttpContent;
        content.release();
        boolean fits =
                answer.length() + bytes.length <= route.settings().operation().maxAnswer() && answer.add(bytes);
        if (!fits) {
            tooLarge(bytes, last);
        } else if (last) {
            whole();
        }
    }

    private void whole() {
        HttpResponse received = received();
        byte[] bytes = answer.bytes();
        answer.clear();
        Runnable send = () -> front.send(Heads.response(received, bytes, headers()));
        if (run == null) {
            settle(Optional::empty, send);
            return;
        }
        settling = true;
        site.workers.complete(
                front.loop(), run, Heads.answer(received, bytes), problem -> told(problem, send), this::untold);
    }

    /** The client gets it, after its key is known to be used; retries are told that it was not kept. */
    private void tooLarge(byte[] next, boolean last) {
        UpstreamLink from = link;
        if (from != null && !last) {
            from.pause();
        }
        HttpResponse received = received();
        settle(
                () -> run == null ? Optional.empty() : run.completeUnkept(Heads.answer(received, new byte[0])),
                () -> beginStream(next, last));
    }

    private void beginStream(byte[] next, boolean last) {
        streaming = true;
        HttpResponse received = received();
        HopByHop.remove(received.headers());
        headers().forEach(header -> received.headers().set(header.name(), header.value()));
        if (!received.headers().contains(HttpHeaderNames.CONTENT_LENGTH)) {
            received.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        front.send(received);
        front.send(new DefaultHttpContent(answer.buffer()));
        answer.clear();
        stream(new DefaultHttpContent(Unpooled.wrappedBuffer(next)));
        if (last) {
            stream(LastHttpContent.EMPTY_LAST_CONTENT);
        } else {
            front.flush();
            clientWritable();
        }
    }

    private void stream(HttpContent content) {
        boolean last = content instanceof LastHttpContent;
        over |= last;
        front.send(content);
        if (!last && link != null && !front.isWritable() && !front.isGone()) {
            link.pause();
            front.within(site.limits.idleTime());
        }
    }

    @Override
    public void pausing() {
        if (streaming) {
            front.flush();
        }
    }

    @Override
    public void clientWritable() {
        if (streaming && !over && link != null && (front.isWritable() || front.isGone())) {
            front.unhurried();
            link.resume();
        }
    }

    @Override
    public void writable() {}

    @Override
    public void failed(Throwable cause) {
        if (over || (settling && !streaming)) {
            return;
        }
        site.traffic.add(Count.SILENT);
        answer.clear();
        if (streaming) {
            over = true;
            front.abort();
            return;
        }
        if (run == null) {
            front.refuse(Refusal.UPSTREAM_FAILED);
        } else {
            settle(() -> Optional.of(run.silent()), () -> {});
        }
    }

    /** Has the store told, and goes on only if there is no problem with that; a problem is all that the client gets. */
    private void settle(Supplier<Optional<Problem>> telling, Runnable goOn) {
        settling = true;
        site.workers.tell(front.loop(), telling, problem -> told(problem, goOn), this::untold);
    }

    private void told(Optional<Problem> problem, Runnable goOn) {
        if (problem.isEmpty()) {
            goOn.run();
            return;
        }
        stop();
        front.send(problem.get().answer());
    }

    /** A fault of ours: what was begun is given up, so that its lease ends and a retry meets the route's policy. */
    private void untold(Throwable cause) {
        LOG.log(System.Logger.Level.WARNING, "An answer could not be recorded.", cause);
        stop();
        front.refuse(Refusal.INTERNAL);
        if (run != null) {
            site.workers.tell(front.loop(), run::silent, problem -> {}, again -> {});
        }
    }

    private void stop() {
        over = true;
        answer.clear();
        if (link != null && link.isReading(this)) {
            link.close();
        }
    }

    private List<Header> headers() {
        return run == null ? List.of() : run.headers();
    }

    private HttpResponse received() {
        return Optional.ofNullable(response).orElseThrow();
    }

    @Override
    public void body(HttpContent content) {
        content.release();
    }

    /** The work goes on, and its answer is kept for the retry. */
    @Override
    public void clientGone() {
        clientWritable();
    }
}
