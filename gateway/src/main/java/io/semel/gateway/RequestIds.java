// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.handler.codec.http.HttpHeaders;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.TrustedProxies;
import java.net.SocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Gives every request an id, by which its client, its service and the logs of both sides can speak of it. */
final class RequestIds {

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~+/=:@-]{1,128}");

    private final @Nullable String header;
    private final TrustedProxies trusted;

    private RequestIds(@Nullable String header, TrustedProxies trusted) {
        this.header = header;
        this.trusted = trusted;
    }

    /** What the settings use the header for otherwise stays as the client has sent it. */
    static RequestIds of(Settings settings, EndToEnd kept) {
        String header = settings.requestId();
        return new RequestIds(header == null || kept.has(header) ? null : header, settings.trustedProxies());
    }

    /** That of a trusted peer, or a new one. */
    String of(HttpHeaders headers, SocketAddress peer) {
        List<String> given = header == null ? List.of() : headers.getAll(header);
        boolean believed = given.size() == 1
                && trusted.include(peer)
                && FORM.matcher(given.get(0)).matches();
        return believed ? given.get(0) : made();
    }

    private static String made() {
        byte[] id = new byte[16];
        ThreadLocalRandom.current().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    /** Tells whoever gets these headers, the service or the client. */
    void tell(HttpHeaders headers, AccessNote note) {
        if (header != null) {
            headers.set(header, note.id());
        }
    }
}
