// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.http;

import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rejects malformed and ambiguous requests before they are routed. */
public final class RequestValidator {

    /** Segments that are . or .., which routes and upstreams would understand differently. */
    private static final Pattern DOTS = Pattern.compile("(?:^|/)(?:\\.|%2e){1,2}(?:/|$)");

    /** Each takes many times the bytes that it came in. */
    static final int MOST_LINES = 200;

    private static final Pattern ABSOLUTE_FORM = Pattern.compile("https?://(?<host>[^/?#]+)(?<rest>[/?].*)?");

    /** Null if there is nothing to object to. */
    public static @Nullable Refusal objection(HttpRequest request) {
        if (request.headers().size() > MOST_LINES) {
            return Refusal.HEADER_TOO_LARGE;
        }
        DecoderResult decoded = request.decoderResult();
        if (decoded.isFailure()) {
            return ofDecoder(decoded.cause());
        }
        HttpMethod method = request.method();
        if (method.equals(HttpMethod.CONNECT) || method.equals(HttpMethod.TRACE)) {
            return Refusal.METHOD_REFUSED;
        }
        if (!isUpperCase(method.name())) {
            return Refusal.AMBIGUOUS_TARGET;
        }
        HttpVersion version = request.protocolVersion();
        boolean known = version.equals(HttpVersion.HTTP_1_1) || version.equals(HttpVersion.HTTP_1_0);
        if (!known || !hasOneHost(request) || !isTargetPlain(request)) {
            return Refusal.MALFORMED_REQUEST;
        }
        return ofTransferCoding(request);
    }

    /** Whether it is known where the request ends: Netty has an opinion on codings that others may not share. */
    public static boolean isFramed(HttpRequest request) {
        return request.decoderResult().isSuccess() && ofTransferCoding(request) == null;
    }

    public static Refusal ofDecoder(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return Refusal.URI_TOO_LONG;
        }
        return cause instanceof TooLongHttpHeaderException ? Refusal.HEADER_TOO_LARGE : Refusal.MALFORMED_REQUEST;
    }

    /** Methods are case-sensitive, and some services do not know it. */
    private static boolean isUpperCase(String method) {
        return method.chars().noneMatch(c -> c >= 'a' && c <= 'z');
    }

    private static boolean hasOneHost(HttpRequest request) {
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        boolean old = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        return hosts.size() == 1 ? isHost(hosts.get(0)) : old && hosts.isEmpty();
    }

    /** A name or an address, and perhaps a port. */
    private static boolean isHost(String host) {
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            boolean alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!alphanumeric && "-._:[]".indexOf(c) < 0) {
                return false;
            }
        }
        return !host.isEmpty();
    }

    private static boolean isTargetPlain(HttpRequest request) {
        if (!request.uri().startsWith("/")) {
            makeOriginForm(request);
        }
        String target = request.uri();
        return target.equals("*")
                ? request.method().equals(HttpMethod.OPTIONS)
                : isOriginForm(target) && !hasDots(target);
    }

    /** Clients of proxies send absolute targets, which many upstreams do not expect. */
    private static void makeOriginForm(HttpRequest request) {
        Matcher absolute = ABSOLUTE_FORM.matcher(request.uri());
        if (absolute.matches()) {
            String host = request.headers().get(HttpHeaderNames.HOST);
            if (host != null && !host.equalsIgnoreCase(absolute.group("host"))) {
                // Another hop might go by the other one.
                return;
            }
            String rest = absolute.group("rest");
            request.setUri(rest == null ? "/" : rest.startsWith("?") ? "/" + rest : rest);
        }
    }

    private static boolean isOriginForm(String target) {
        for (int i = 0; i < target.length(); i++) {
            char c = target.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '#') {
                return false;
            }
        }
        return target.startsWith("/");
    }

    private static boolean hasDots(String target) {
        if (!target.contains("/.") && !target.contains("/%2")) {
            return false;
        }
        int query = target.indexOf('?');
        String path = query < 0 ? target : target.substring(0, query);
        return DOTS.matcher(path.toLowerCase(Locale.ROOT)).find();
    }

    private static @Nullable Refusal ofTransferCoding(HttpRequest request) {
        HttpHeaders headers = request.headers();
        List<String> codings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
        if (codings.isEmpty()) {
            return null;
        }
        boolean confusing = codings.size() > 1
                || headers.contains(HttpHeaderNames.CONTENT_LENGTH)
                || request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        if (confusing) {
            return Refusal.MALFORMED_REQUEST;
        }
        return codings.get(0).strip().equalsIgnoreCase("chunked") ? null : Refusal.NOT_IMPLEMENTED;
    }

    private RequestValidator() {}
}
