// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.callers;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaders;
import io.semel.gateway.config.TrustedProxies;
import java.util.List;

/** The caller's name in a header set by a trusted proxy; other peers are not believed. */
final class ProxyHeaderSource implements CallerSource {

    private final String name;
    private final TrustedProxies trusted;

    ProxyHeaderSource(String name, TrustedProxies trusted) {
        this.name = name;
        this.trusted = trusted;
    }

    @Override
    public List<String> parts(HttpHeaders headers, Channel connection) {
        List<String> lines = headers.getAll(name);
        if (lines.isEmpty() || !trusted.include(connection.remoteAddress())) {
            return List.of();
        }
        if (lines.size() > 1 || lines.get(0).isBlank()) {
            throw CallerRefused.ambiguous(name);
        }
        return List.of("user", lines.get(0).strip());
    }
}
