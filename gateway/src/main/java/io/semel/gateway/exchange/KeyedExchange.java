// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.semel.gateway.budget.BodyBuffer;
import io.semel.gateway.budget.Charge;
import io.semel.gateway.http.ForwardedHeaders;
import io.semel.gateway.http.Refusal;
import io.semel.gateway.http.Responses;
import io.semel.gateway.log.LogText;
import io.semel.gateway.log.ThrottledLog;
import io.semel.gateway.quota.StorageQuotas;
import io.semel.gateway.traffic.Traffic.Count;
import io.semel.gateway.upstream.UpstreamConnection;
import io.semel.gateway.upstream.UpstreamExchange;
import io.semel.http.Answer;
import io.semel.http.Answer.Header;
import io.semel.http.Problem;
import io.semel.http.RequestDecision;
import io.semel.http.StatusPolicy;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Forwards a keyed request to its upstream, and records the response before the client gets it. */
final class KeyedExchange implements Exchange, UpstreamExchange {

    private static final ThrottledLog LOG = new ThrottledLog(KeyedExchange.class);

    private final ClientExchange client;
    private final GatewayContext gateway;
    private final Route route;
    private final RequestHead head;
    private final BodyBuffer body;
    private final RequestDecision.@Nullable Run run;
    private final StorageQuotas.Room room;
    private final BodyBuffer answer;
    private @Nullable UpstreamConnection link;
    private @Nullable HttpResponse response;
    /** Null as long as the response may be small enough to be recorded. */
    private @Nullable StreamedResponse streamed;

    private State state = State.COLLECTING;

    /** @param run null where the store cannot be asked and the route fails open */
    KeyedExchange(
            ClientExchange client,
            GatewayContext gateway,
            Route route,
            RequestHead head,
            BodyBuffer body,
            RequestDecision.@Nullable Run run,
            StorageQuotas.Room room) {
        this.client = client;
        this.gateway = gateway;
        this.route = route;
        this.head = head;
        this.body = body;
        this.run = run;
        this.room = room;
        this.answer = new BodyBuffer(new Charge(gateway.budget));
    }

    void begin() {
        try {
            client.give(this);
            gateway.upstreams.acquire(client.loop(), route.settings().upstream(), this);
        } catch (RuntimeException | Error e) {
            unbegun(e);
        }
    }

    /** A fault of ours before anything was sent, so that the key can be free again at once. */
    void unbegun(Throwable cause) {
        LOG.warn("A request could not be sent on.", head.note().toString(), cause);
        giveUp(cause, () -> client.fail(Refusal.INTERNAL));
    }

    @Override
    public @Nullable Object client() {
        return gateway.client(head.request().headers(), client.channel());
    }

    @Override
    public void connected(UpstreamConnection connected) {
        link = connected;
        head.note().asking();
        connected.begin(this, request());
        // Until the service has taken it, it is held.
        connected.write(new DefaultLastHttpContent(body.buffer()), body::clear);
        connected.flush();
    }

    private HttpRequest request() {
        HttpRequest request = gateway.forwarding.prepare(head.request(), client.channel(), route.settings());
        request.headers().remove(HttpHeaderNames.TRANSFER_ENCODING);
        request.headers().remove(HttpHeaderNames.TRAILER);
        request.headers().remove(HttpHeaderNames.UPGRADE);
        request.headers().remove(HttpHeaderNames.CONNECTION);
        request.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length());
        gateway.ids.add(request.headers(), head.note().id());
        if (head.foundKey() != null) {
            request.headers().set(ForwardedHeaders.KEY, head.foundKey());
        }
        if (run != null) {
            head.note().fenced(run.attempt().fence());
            ForwardedHeaders.addAttempt(request.headers(), run.attempt());
        }
        return request;
    }

    /** Nothing was sent, so that the key can be free again at once. */
    @Override
    public void unreachable(Throwable cause) {
        gateway.traffic.add(Count.UNREACHABLE);
        giveUp(cause, () -> client.unreachable(cause));
    }

    private void giveUp(Throwable cause, Runnable refuse) {
        body.clear();
        room.back();
        tell(() -> release(cause), () -> {
            state = State.OVER;
            refuse.run();
        });
    }

    private Optional<Problem> release(Throwable cause) {
        if (run != null) {
            run.fail(cause);
        }
        return Optional.empty();
    }

    @Override
    public void head(HttpResponse received) {
        received.setProtocolVersion(HttpVersion.HTTP_1_1);
        response = received;
    }

    @Override
    public void content(HttpContent content) {
        if (content instanceof LastHttpContent) {
            // The connection carries the next exchange from now on.
            link = null;
        }
        if (streamed != null) {
            streamed.content(content);
        } else if (state == State.COLLECTING) {
            collect(content);
        } else {
            content.release();
        }
    }

    private void collect(HttpContent content) {
        byte[] bytes = BodyBuffer.copy(content.content());
        if (answer.length() + bytes.length > route.settings().operation().maxAnswer() || answer.add(bytes) != null) {
            tooLarge(content);
            return;
        }
        content.release();
        if (content instanceof LastHttpContent) {
            whole();
        }
    }

    private void whole() {
        head.note().asked();
        HttpResponse received = received();
        byte[] bytes = answer.joined();
        Answer kept = Responses.answer(received, bytes);
        Runnable send = () -> {
            state = State.OVER;
            ran(kept);
            // What the client does not take of it is counted from now on.
            answer.clear();
            client.send(Responses.response(received, bytes, headers()));
        };
        if (run == null) {
            tell(Optional::empty, send);
            return;
        }
        if (run.keep(kept) == StatusPolicy.Keep.FORGET) {
            room.back();
        } else {
            room.keep(bytes.length);
        }
        state = State.RECORDING;
        gateway.store.complete(client.loop(), run, kept, problem -> told(problem, send), this::untold);
    }

    /** As the metrics call it. */
    private void ran(Answer answered) {
        if (run != null) {
            head.note()
                    .became(
                            switch (run.keep(answered)) {
                                case RECORD -> "executed";
                                case FORGET -> "released";
                                case HOLD -> "unknown";
                            });
        }
    }

    /** The client gets it, after its key is known to be used; retries are told that it was not kept. */
    private void tooLarge(HttpContent next) {
        StreamedResponse stream = new StreamedResponse(client, gateway, link);
        streamed = stream;
        stream.content(next);
        Answer head = Responses.answer(received(), new byte[0]);
        tell(() -> run == null ? Optional.empty() : run.completeUnkept(head), () -> {
            state = State.OVER;
            ran(head);
            HttpContent collected = new DefaultHttpContent(answer.buffer());
            answer.clear();
            stream.begin(received(), headers(), collected);
        });
    }

    @Override
    public void pausing() {
        if (streamed != null) {
            streamed.flush();
        }
    }

    @Override
    public void clientWritable() {
        if (streamed != null) {
            streamed.clientWritable();
        }
    }

    @Override
    public void failed(Throwable cause) {
        link = null;
        if (streamed != null) {
            streamed.failed();
        } else if (state == State.COLLECTING) {
            silent(cause);
        }
    }

    private void silent(Throwable cause) {
        gateway.traffic.add(Count.SILENT);
        head.note().asked();
        answer.clear();
        if (run == null) {
            state = State.OVER;
            client.refuse(Refusal.UPSTREAM_FAILED);
        } else {
            tell(() -> Optional.of(run.silent(why(cause))), () -> {});
        }
    }

    /** On one line, whatever the service sent. */
    private String why(Throwable cause) {
        return LogText.of("its service fell silent: " + cause.getMessage() + " " + head.note());
    }

    /** Tells the store and goes on if that succeeds; otherwise the client gets the problem. */
    private void tell(Supplier<Optional<Problem>> telling, Runnable goOn) {
        state = State.RECORDING;
        gateway.store.tell(client.loop(), telling, problem -> told(problem, goOn), this::untold);
    }

    private void told(Optional<Problem> problem, Runnable goOn) {
        if (problem.isEmpty()) {
            goOn.run();
            return;
        }
        stop();
        head.note().refused(problem.get().type());
        client.send(problem.get().answer());
    }

    /** A fault of the gateway: the attempt is given up, so that a retry meets the route's policy. */
    private void untold(Throwable cause) {
        LOG.warn("A response could not be recorded.", head.note().toString(), cause);
        stop();
        client.fail(Refusal.INTERNAL);
        if (run != null) {
            gateway.store.tell(client.loop(), () -> run.silent(why(cause)), problem -> {}, again -> {});
        }
    }

    private void stop() {
        state = State.OVER;
        answer.clear();
        if (streamed != null) {
            streamed.discard();
        }
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

    private enum State {
        /** The response is collected, so that it can be recorded whole. */
        COLLECTING,
        /** The store is told of it, and the client gets nothing before that. */
        RECORDING,
        OVER
    }
}
