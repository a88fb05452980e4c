// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.semel.http.Answer;
import io.semel.http.Answer.Header;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Builds response messages from answers, and answers from responses. */
public final class Responses {

    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private static volatile Moment moment = new Moment(0, "");

    /** The complete response for an answer, with Date and Content-Length. */
    public static FullHttpResponse response(Answer answer) {
        HttpHeaders headers = new DefaultHttpHeaders();
        for (Header header : answer.headers()) {
            headers.add(header.name(), header.value());
        }
        headers.set(HttpHeaderNames.DATE, now());
        return full(answer.status(), headers, answer.body());
    }

    /** The upstream's response, complete, with the headers that the run adds. */
    public static FullHttpResponse response(HttpResponse head, byte[] body, List<Header> more) {
        HttpHeaders headers = head.headers();
        HeaderFilter.removeHopByHopOfResponse(headers);
        headers.remove(HttpHeaderNames.TRANSFER_ENCODING);
        headers.remove(HttpHeaderNames.TRAILER);
        more.forEach(header -> headers.set(header.name(), header.value()));
        if (!headers.contains(HttpHeaderNames.DATE)) {
            headers.set(HttpHeaderNames.DATE, now());
        }
        return full(head.status().code(), headers, body);
    }

    private static FullHttpResponse full(int status, HttpHeaders headers, byte[] body) {
        ByteBuf content = Unpooled.wrappedBuffer(body);
        headers.setInt(HttpHeaderNames.CONTENT_LENGTH, body.length);
        return new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), content, headers, EmptyHttpHeaders.INSTANCE);
    }

    public static Answer answer(HttpResponse head, byte[] body) {
        List<Header> headers = new ArrayList<>();
        for (Map.Entry<String, String> each : head.headers()) {
            headers.add(new Header(each.getKey(), each.getValue()));
        }
        return new Answer(head.status().code(), headers, body);
    }

    /** The whole response as bytes that end their connection, for one that has no codec. */
    public static ByteBuf bytes(Answer answer) {
        StringBuilder head = new StringBuilder("HTTP/1.1 ")
                .append(HttpResponseStatus.valueOf(answer.status()))
                .append("\r\n");
        answer.headers()
                .forEach(line -> head.append(line.name())
                        .append(": ")
                        .append(line.value())
                        .append("\r\n"));
        head.append("Content-Length: ").append(answer.body().length).append("\r\nConnection: close\r\n\r\n");
        return Unpooled.wrappedBuffer(head.toString().getBytes(StandardCharsets.US_ASCII), answer.body());
    }

    /** Made once a second. */
    private static String now() {
        long second = System.currentTimeMillis() / 1000;
        Moment known = moment;
        if (known.second != second) {
            known = new Moment(second, FORMAT.format(Instant.ofEpochSecond(second)));
            moment = known;
        }
        return known.text;
    }

    private record Moment(long second, String text) {}

    private Responses() {}
}
