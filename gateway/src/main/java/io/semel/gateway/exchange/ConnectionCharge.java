// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.AttributeKey;
import io.semel.gateway.budget.Charge;
import io.semel.gateway.callers.ClientPeer;
import io.semel.gateway.http.Refusal;
import io.semel.gateway.traffic.Traffic.Count;
import org.jspecify.annotations.Nullable;

/** What a connection with TLS or HTTP/2 takes by itself; one on which nothing is asked goes when others need the room. */
public final class ConnectionCharge {

    private static final AttributeKey<ConnectionCharge> OF_CONNECTION =
            AttributeKey.valueOf(ConnectionCharge.class, "charge");

    private final GatewayContext gateway;
    private final Channel connection;
    private final Charge charge;
    private long cost;
    private int asking;

    private ConnectionCharge(GatewayContext gateway, Channel connection) {
        this.gateway = gateway;
        this.connection = connection;
        this.charge = gateway.shares.standing(connection);
        connection.closeFuture().addListener(closed -> charge.clear());
    }

    /** Whether there is room for so many bytes more, which are taken for as long as the connection is open. */
    public static boolean admit(GatewayContext gateway, Channel connection, long bytes) {
        ConnectionCharge own = connection.attr(OF_CONNECTION).get();
        if (own == null) {
            own = new ConnectionCharge(gateway, connection);
            connection.attr(OF_CONNECTION).set(own);
            own.waits();
        }
        own.cost += bytes;
        return own.charge.take(bytes) == null;
    }

    static @Nullable ConnectionCharge of(Channel channel) {
        return ClientPeer.connection(channel).attr(OF_CONNECTION).get();
    }

    /** A request has begun. */
    void begins() {
        if (asking++ == 0) {
            charge.waitsNoMore();
        }
    }

    /** A request is over. */
    void ends() {
        if (--asking == 0) {
            waits();
        }
    }

    private void waits() {
        charge.waits(() -> connection.eventLoop().execute(this::evicted));
    }

    /** A request may have begun before this is told. */
    private void evicted() {
        charge.clear();
        if (asking == 0) {
            gateway.traffic.add(Count.UNREAD);
            close(connection);
        } else if (connection.isActive()) {
            Refusal noRoom = charge.take(cost);
            if (noRoom != null) {
                close(connection);
            }
        }
    }

    /** At once: TLS and HTTP/2 would wait for what was sent before to be read, and that is what is to make room. */
    static void close(Channel connection) {
        ChannelHandlerContext first = connection.pipeline().firstContext();
        if (first != null) {
            first.close();
        }
    }
}
