// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.budget;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/** The shares of the budget that open connections, and their addresses, may hold. */
public final class AddressShares {

    private static final AttributeKey<Share[]> OF_CONNECTION = AttributeKey.valueOf(AddressShares.class, "shares");

    private final MemoryBudget budget;
    private final long ofAddress;
    private final ConcurrentMap<InetAddress, Counted> addresses = new ConcurrentHashMap<>();

    public AddressShares(MemoryBudget budget, long ofAddress) {
        this.budget = budget;
        this.ofAddress = ofAddress;
    }

    /** How many connections there are from its address, with this one. */
    public int open(Channel connection) {
        Share own = new Share(Math.max(1, ofAddress / 2));
        InetAddress address =
                connection.remoteAddress() instanceof InetSocketAddress remote ? remote.getAddress() : null;
        if (address == null) {
            connection.attr(OF_CONNECTION).set(new Share[] {own});
            return 1;
        }
        InetAddress network = network(address);
        int[] connections = new int[1];
        Counted counted = addresses.compute(network, (any, known) -> {
            Counted next = known == null ? new Counted(new Share(ofAddress)) : known;
            connections[0] = ++next.connections;
            return next;
        });
        connection.attr(OF_CONNECTION).set(new Share[] {own, counted.share});
        connection.closeFuture().addListener(closed -> leave(network));
        return connections[0];
    }

    /** The network of the first 64 bits of an IPv6 address, all of which usually belongs to one client. */
    public static InetAddress network(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        byte[] bytes = address.getAddress();
        Arrays.fill(bytes, bytes.length / 2, bytes.length, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("It has as many bytes as an address has.", e);
        }
    }

    private void leave(InetAddress address) {
        addresses.computeIfPresent(address, (any, known) -> --known.connections == 0 ? null : known);
    }

    int addresses() {
        return addresses.size();
    }

    /** For something that a connection, or a stream of one, makes us hold. */
    public Charge charge(Channel channel) {
        Share[] own = channel.attr(OF_CONNECTION).get();
        if (own == null && channel.parent() != null) {
            own = channel.parent().attr(OF_CONNECTION).get();
        }
        return own == null ? new Charge(budget) : new Charge(budget, own);
    }

    /** For an incomplete message, which is part of the bytes that its connection holds. */
    public Charge arriving(Channel connection) {
        Share[] own = connection.attr(OF_CONNECTION).get();
        return own == null ? new Charge(budget) : new Charge(budget, own[0], own);
    }

    /** Bytes that one connection, or one address, may hold at a time with more than one request. */
    static final class Share {

        private final long most;
        private final AtomicLong used = new AtomicLong();

        Share(long most) {
            this.most = most;
        }

        /** A client that is alone may use everything: a share leaves room for others. */
        boolean refuses(long own, long bytes) {
            long all = used.get();
            return all > own && all + bytes > most;
        }

        long used() {
            return used.get();
        }

        void add(long bytes) {
            used.addAndGet(bytes);
        }
    }

    private static final class Counted {

        private final Share share;
        private int connections;

        private Counted(Share share) {
            this.share = share;
        }
    }
}
