// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.budget;

import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;

/** Response bytes that a client has not read yet, charged like everything else that is held. */
public final class UnreadOutput {

    /** A client that reads less than that within the idle time counts as not reading. */
    private static final long LEAST = 16 << 10;

    private final Channel channel;
    private final Charge charge;
    private final Runnable drop;
    private long before;

    public UnreadOutput(Channel channel, Charge charge, Runnable drop) {
        this.drop = drop;
        this.channel = channel;
        this.charge = charge;
    }

    public void clear() {
        charge.clear();
    }

    /** It is not for a client any more to decide how long this takes. */
    public void waitsNoMore() {
        charge.waitsNoMore();
    }

    /** Counts it anew; false if there is no room for it. */
    public boolean fits() {
        return charge.hold(pending(), () -> channel.eventLoop().execute(this::evicted)) == null;
    }

    private void evicted() {
        charge.clear();
        if (pending() > 0) {
            drop.run();
        }
    }

    public boolean isEmpty() {
        return pending() == 0;
    }

    /** Whether the client has read a fair piece since this was asked last. */
    public boolean moves() {
        long pending = pending();
        boolean moved = pending > 0 && before - pending >= LEAST;
        before = pending;
        return moved;
    }

    private long pending() {
        ChannelConfig config = channel.config();
        return channel.isWritable()
                ? Math.max(0, config.getWriteBufferHighWaterMark() + 1 - channel.bytesBeforeUnwritable())
                : config.getWriteBufferLowWaterMark() - 1 + channel.bytesBeforeWritable();
    }
}
