// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.NetUtil;
import io.semel.gateway.config.TrustedProxies;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The address of a request's client: the peer's, or the one that trusted proxies name in X-Forwarded-For. */
public final class ClientAddresses {

    private final TrustedProxies trusted;

    public ClientAddresses(TrustedProxies trusted) {
        this.trusted = trusted;
    }

    /** Null where trusted proxies do not name it. */
    @Nullable
    public InetAddress of(HttpHeaders headers, SocketAddress peer) {
        if (!(peer instanceof InetSocketAddress inet)) {
            return null;
        }
        return trusted.include(peer) ? named(headers.getAll("x-forwarded-for")) : inet.getAddress();
    }

    /** The last address that is no trusted proxy; the ones before it are its own claims. */
    private @Nullable InetAddress named(List<String> lines) {
        String[] names = String.join(",", lines).split(",", -1);
        for (int i = names.length - 1; i >= 0; i--) {
            InetAddress address = NetUtil.createInetAddressFromIpAddressString(bare(names[i].strip()));
            if (address == null || !trusted.include(new InetSocketAddress(address, 0))) {
                return address;
            }
        }
        return null;
    }

    /** Without the port that some proxies add. */
    private static String bare(String name) {
        int bracket = name.indexOf(']');
        if (name.startsWith("[") && bracket > 0) {
            return name.substring(1, bracket);
        }
        int colon = name.indexOf(':');
        return colon >= 0 && colon == name.lastIndexOf(':') ? name.substring(0, colon) : name;
    }
}
