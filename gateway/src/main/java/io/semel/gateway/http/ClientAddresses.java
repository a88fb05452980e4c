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

/** Where requests come from: the peer, or whom trusted proxies name in X-Forwarded-For, each adding the address that it was asked from. */
public final class ClientAddresses {

    private final TrustedProxies trusted;

    public ClientAddresses(TrustedProxies trusted) {
        this.trusted = trusted;
    }

    /** Null where trusted proxies do not say it, so that it might be anybody. */
    @Nullable
    public InetAddress of(HttpHeaders headers, SocketAddress peer) {
        if (!(peer instanceof InetSocketAddress inet)) {
            return null;
        }
        return trusted.include(peer) ? named(headers.getAll("x-forwarded-for")) : inet.getAddress();
    }

    /** The last that is no proxy of ours: what stands before it is what that one claims. */
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
