// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.budget;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.semel.gateway.callers.ClientPeer;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The shares of the budget that open connections, and their addresses, may hold. */
public final class AddressShares {

    private static final AttributeKey<Share[]> OF_CONNECTION = AttributeKey.valueOf(AddressShares.class, "shares");

    private static final AttributeKey<Share> STANDING = AttributeKey.valueOf(AddressShares.class, "standing");
    private static final AttributeKey<AtomicInteger> TUNNELS = AttributeKey.valueOf(AddressShares.class, "tunnels");

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
            Counted next = known == null ? new Counted(new Share(ofAddress), new Share(ofAddress)) : known;
            connections[0] = ++next.connections;
            return next;
        });
        connection.attr(OF_CONNECTION).set(new Share[] {own, counted.share});
        connection.attr(STANDING).set(counted.standing);
        connection.attr(TUNNELS).set(counted.tunnels);
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
        Share[] own = shares(channel);
        return own == null ? new Charge(budget) : new Charge(budget, own);
    }

    /** For what has come of a message that is not whole: it is a part of all that its connection holds. */
    public Charge arriving(Channel connection) {
        Share[] own = shares(connection);
        return own == null ? new Charge(budget) : new Charge(budget, own[0], own);
    }

    /** For the parts of what one exchange makes us hold, such as its head, which are no second thing beside each other. */
    public Supplier<Charge> parts(Channel channel) {
        Share[] own = shares(channel);
        if (own == null) {
            return () -> new Charge(budget);
        }
        Share whole = new Share(Long.MAX_VALUE);
        Share[] all = Arrays.copyOf(own, own.length + 1);
        all[own.length] = whole;
        return () -> new Charge(budget, whole, all);
    }

    private static Share @Nullable [] shares(Channel channel) {
        return ClientPeer.connection(channel).attr(OF_CONNECTION).get();
    }

    /** For what connections take by themselves: beside all that they hold, so that it leaves each of them its room. */
    public Charge standing(Channel connection) {
        Share own = connection.attr(STANDING).get();
        return own == null ? new Charge(budget) : new Charge(budget, null, new Share[] {own});
    }

    /** How many tunnels its address has. */
    public static AtomicInteger tunnels(Channel connection) {
        AtomicInteger tunnels = connection.attr(TUNNELS).get();
        return tunnels == null ? new AtomicInteger() : tunnels;
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
        private final Share standing;
        private final AtomicInteger tunnels = new AtomicInteger();
        private int connections;

        private Counted(Share share, Share standing) {
            this.share = share;
            this.standing = standing;
        }
    }
}
