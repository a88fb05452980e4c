// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
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
            HttpHeaderNames.UPGRADE,
            "http2-settings");

    static void remove(HttpHeaders headers) {
        List<String> connection = headers.getAll(HttpHeaderNames.CONNECTION);
        for (String line : connection) {
            for (String name : line.split(",", -1)) {
                String named = name.strip();
                if (!named.isEmpty() && !isFraming(named)) {
                    headers.remove(named);
                }
            }
        }
        for (CharSequence name : ALWAYS) {
            headers.remove(name);
        }
    }

    /** Whoever could name these in Connection could make the next hop see another message than we do. */
    private static boolean isFraming(String name) {
        return name.equalsIgnoreCase("content-length")
                || name.equalsIgnoreCase("transfer-encoding")
                || name.equalsIgnoreCase("host");
    }

    private HopByHop() {}
}
