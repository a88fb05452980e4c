// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;

/** What belongs to one connection and is not passed on, by RFC 9110. */
final class HopByHop {

    private static final List<CharSequence> ALWAYS = List.of(
            HttpHeaderNames.CONNECTION,
            "keep-alive",
            "proxy-connection",
            HttpHeaderNames.PROXY_AUTHENTICATE,
            HttpHeaderNames.PROXY_AUTHORIZATION,
            HttpHeaderNames.TE,
            HttpHeaderNames.TRAILER,
            HttpHeaderNames.UPGRADE,
            "http2-settings");

    static void remove(HttpHeaders headers) {
        remove(headers, EndToEnd.ALWAYS);
    }

    /** Whoever could name what is kept in Connection could make the next hop see another message than we do. */
    static void remove(HttpHeaders headers, EndToEnd kept) {
        List<String> connection = headers.getAll(HttpHeaderNames.CONNECTION);
        for (String line : connection) {
            for (String name : line.split(",", -1)) {
                String named = name.strip();
                if (!named.isEmpty() && !kept.has(named)) {
                    headers.remove(named);
                }
            }
        }
        for (CharSequence name : ALWAYS) {
            headers.remove(name);
        }
    }

    /** A trailer comes too late to be looked at, and nobody asks for any: TE is not passed on. */
    static void removeTrailers(HttpContent content) {
        if (content instanceof LastHttpContent last && !last.trailingHeaders().isEmpty()) {
            last.trailingHeaders().clear();
        }
    }

    private HopByHop() {}
}
