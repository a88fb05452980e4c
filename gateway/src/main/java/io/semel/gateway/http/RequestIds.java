// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.TrustedProxies;
import java.net.SocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Gives every request an id for its client, its service and the logs of both, and reads its W3C trace id. */
public final class RequestIds {

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~+/=:@-]{1,128}");
    private static final Pattern TRACE_PARENT =
            Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-.{2,64}");

    private final @Nullable String header;
    private final TrustedProxies trusted;

    /** A header that the settings use for something else is left as the client sent it. */
    public RequestIds(Settings settings, HeaderFilter filter) {
        String name = settings.requestId();
        this.header = name == null || filter.isProtected(name) ? null : name;
        this.trusted = settings.trustedProxies();
    }

    /** The id that a trusted peer gave the request, or a new one. */
    public String of(HttpHeaders headers, SocketAddress peer) {
        List<String> given = header == null ? List.of() : headers.getAll(header);
        boolean believed = given.size() == 1
                && trusted.include(peer)
                && FORM.matcher(given.get(0)).matches();
        return believed ? given.get(0) : generated();
    }

    private static String generated() {
        byte[] id = new byte[16];
        ThreadLocalRandom.current().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    /** Adds the id to headers that go to the service or to the client. */
    public void add(HttpHeaders headers, String id) {
        if (header != null) {
            headers.set(header, id);
        }
    }

    /** The trace id in {@code traceparent}, which is passed on unchanged; null if there is none. */
    public static @Nullable String traceId(HttpHeaders headers) {
        List<String> lines = headers.getAll("traceparent");
        if (lines.size() != 1) {
            return null;
        }
        Matcher matcher = TRACE_PARENT.matcher(lines.get(0));
        return matcher.matches() ? matcher.group(1) : null;
    }
}
