// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.NetUtil;
import io.semel.gateway.config.yaml.ConfigError;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;

/** The addresses of proxies that are believed about their clients. */
public final class TrustedProxies {

    public static final TrustedProxies NONE = new TrustedProxies(List.of());

    private final List<IpSubnetFilterRule> networks;

    private TrustedProxies(List<IpSubnetFilterRule> networks) {
        this.networks = networks;
    }

    /** Addresses and networks, such as {@code 10.0.0.7} and {@code 10.0.0.0/8}. */
    public static TrustedProxies of(List<String> texts) {
        return texts.isEmpty()
                ? NONE
                : new TrustedProxies(texts.stream().map(TrustedProxies::network).toList());
    }

    public boolean include(SocketAddress address) {
        return address instanceof InetSocketAddress inet
                && !inet.isUnresolved()
                && networks.stream().anyMatch(network -> network.matches(inet));
    }

    public boolean isEmpty() {
        return networks.isEmpty();
    }

    private static IpSubnetFilterRule network(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        boolean v4 = NetUtil.isValidIpV4Address(address);
        if (!v4 && !NetUtil.isValidIpV6Address(address)) {
            throw wrong(text);
        }
        int bits = v4 ? 32 : 128;
        try {
            int prefix = slash < 0 ? bits : Integer.parseInt(text.substring(slash + 1));
            return new IpSubnetFilterRule(address, prefix, IpFilterRuleType.ACCEPT);
        } catch (IllegalArgumentException e) {
            throw wrong(text);
        }
    }

    private static ConfigError wrong(String text) {
        return new ConfigError("'" + text + "' is neither an address nor a network; write 10.0.0.7 or 10.0.0.0/8");
    }
}
