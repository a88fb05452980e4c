// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.semel.gateway.budget.Charge;
import io.semel.gateway.config.Upstream;
import io.semel.gateway.http.Refusal;
import io.semel.gateway.upstream.UpstreamConnection;
import io.semel.gateway.upstream.UpstreamExchange;
import io.semel.http.Answer;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Asks a configured URL, with the caller's own headers, whether it may still get a kept answer. */
final class ReplayAuthorization implements UpstreamExchange {

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final long MOST_BODY = 64 << 10;

    private final ClientExchange client;
    private final GatewayContext gateway;
    private final RequestHead head;
    private final URI url;
    private final Upstream judge;
    private final Answer answer;
    private final Charge held;
    private @Nullable UpstreamConnection link;
    private boolean decided;
    private long body;

    private ReplayAuthorization(
            ClientExchange client,
            GatewayContext gateway,
            RequestHead head,
            URI url,
            Upstream judge,
            Answer answer,
            Charge held) {
        this.client = client;
        this.gateway = gateway;
        this.head = head;
        this.url = url;
        this.judge = judge;
        this.answer = answer;
        this.held = held;
    }

    /** Sends the answer, at once if the route asks no URL. */
    static void send(ClientExchange client, GatewayContext gateway, Route route, RequestHead head, Answer answer) {
        String authorize = route.settings().authorize();
        Upstream judge = route.settings().judge();
        Charge held = client.charge();
        Refusal noRoom = held.take(answer.body().length);
        if (noRoom != null) {
            client.refuse(noRoom);
            return;
        }
        if (authorize == null || judge == null) {
            // What the client does not take of it is counted from now on.
            held.clear();
            client.send(answer);
            return;
        }
        ReplayAuthorization asking =
                new ReplayAuthorization(client, gateway, head, URI.create(authorize), judge, answer, held);
        gateway.upstreams.acquire(client.loop(), judge, asking);
    }

    @Override
    public @Nullable Object client() {
        return gateway.client(head.request().headers(), client.channel());
    }

    @Override
    public void connected(UpstreamConnection link) {
        this.link = link;
        String target = url.getRawPath() + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery());
        HttpRequest asked = head.request();
        HttpRequest question =
                new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, target.isEmpty() ? "/" : target);
        question.headers().setAll(asked.headers());
        gateway.forwarding.clean(question.headers(), client.channel());
        question.headers().remove(HttpHeaderNames.CONTENT_LENGTH).remove(HttpHeaderNames.TRANSFER_ENCODING);
        question.headers().set(HttpHeaderNames.HOST, link.upstream().authority());
        question.headers().set("x-original-method", asked.method().name());
        question.headers().set("x-original-uri", asked.uri());
        gateway.ids.add(question.headers(), head.note().id());
        link.begin(this, question);
        link.write(LastHttpContent.EMPTY_LAST_CONTENT);
        link.flush();
    }

    @Override
    public void unreachable(Throwable cause) {
        held.clear();
        client.refuse(Refusal.NOT_AUTHORIZED_NOW);
    }

    @Override
    public void head(HttpResponse verdict) {
        decide(verdict);
        decided = true;
    }

    /** The body is ignored, and read only so that the connection can be used again. */
    @Override
    public void content(HttpContent content) {
        body += content.content().readableBytes();
        content.release();
        if (body > MOST_BODY && link != null && link.isReading(this)) {
            link.close();
        }
    }

    private void decide(HttpResponse said) {
        held.clear();
        int status = said.status().code();
        if (said.status().codeClass() == HttpStatusClass.SUCCESS) {
            client.send(answer);
        } else if (status == UNAUTHORIZED) {
            client.refuse(Refusal.UNAUTHENTICATED);
        } else if (status == FORBIDDEN) {
            client.refuse(Refusal.FORBIDDEN);
        } else {
            client.refuse(Refusal.NOT_AUTHORIZED_NOW);
        }
    }

    @Override
    public void failed(Throwable cause) {
        if (decided) {
            return;
        }
        if (link != null && link.wasClosedUnseen(cause)) {
            // The connection may have been closed before the question was seen, and asking changes nothing.
            gateway.upstreams.connect(client.loop(), judge, this);
        } else {
            held.clear();
            client.refuse(Refusal.NOT_AUTHORIZED_NOW);
        }
    }
}
