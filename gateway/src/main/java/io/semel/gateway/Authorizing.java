// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.semel.gateway.config.Upstream;
import io.semel.http.Answer;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Asks a configured URL, with the caller's own headers, whether it may have a kept answer now. */
final class Authorizing implements UpstreamConnector.Waiting, UpstreamLink.Reader {

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    private final Front front;
    private final RequestHead head;
    private final URI url;
    private final Answer answer;
    private @Nullable HttpResponse verdict;

    private Authorizing(Front front, RequestHead head, URI url, Answer answer) {
        this.front = front;
        this.head = head;
        this.url = url;
        this.answer = answer;
    }

    /** Sends the answer, at once where nobody has to be asked. */
    static void send(Front front, Site site, Route route, RequestHead head, Answer answer) {
        String authorize = route.settings().authorize();
        if (authorize == null) {
            front.send(answer);
            return;
        }
        URI url = URI.create(authorize);
        Upstream upstream = Upstream.of(url.getScheme() + "://" + url.getRawAuthority());
        site.pool().connect(front.loop(), upstream, new Authorizing(front, head, url, answer));
    }

    @Override
    public void connected(UpstreamLink link) {
        String target = url.getRawPath() + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery());
        HttpRequest asked = head.request();
        HttpRequest question =
                new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, target.isEmpty() ? "/" : target);
        question.headers().setAll(asked.headers());
        HopByHop.remove(question.headers());
        question.headers().remove(HttpHeaderNames.CONTENT_LENGTH).remove(HttpHeaderNames.TRANSFER_ENCODING);
        question.headers().set(HttpHeaderNames.HOST, link.upstream().authority());
        question.headers().set("x-original-method", asked.method().name());
        question.headers().set("x-original-uri", asked.uri());
        link.begin(this);
        link.write(question);
        link.write(LastHttpContent.EMPTY_LAST_CONTENT);
        link.flush();
    }

    @Override
    public void unreachable(Throwable cause) {
        front.refuse(Refusal.NOT_AUTHORIZED_NOW);
    }

    @Override
    public void head(HttpResponse head) {
        verdict = head;
    }

    @Override
    public void content(HttpContent content) {
        boolean last = content instanceof LastHttpContent;
        content.release();
        if (last && verdict != null) {
            decide(verdict);
        }
    }

    private void decide(HttpResponse said) {
        int status = said.status().code();
        if (said.status().codeClass() == HttpStatusClass.SUCCESS) {
            front.send(answer);
        } else if (status == UNAUTHORIZED) {
            front.refuse(Refusal.UNAUTHENTICATED);
        } else if (status == FORBIDDEN) {
            front.refuse(Refusal.FORBIDDEN);
        } else {
            front.refuse(Refusal.NOT_AUTHORIZED_NOW);
        }
    }

    @Override
    public void pausing() {}

    @Override
    public void writable() {}

    @Override
    public void failed(Throwable cause) {
        front.refuse(Refusal.NOT_AUTHORIZED_NOW);
    }
}
