// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.budget;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.semel.gateway.http.Refusal;
import java.util.function.Consumer;

/** The charge of an incomplete head, chunk line or trailer, which only its decoder holds. */
public final class PartialMessage {

    private final Charge charge;
    private final Consumer<Refusal> crowdedOut;
    private long made;
    private long cost;
    private boolean over;

    /** @param crowdedOut is told, in the event loop, that there is no room for it any more; the connection is to be closed */
    public PartialMessage(Charge charge, Consumer<Refusal> crowdedOut) {
        this.charge = charge;
        this.crowdedOut = crowdedOut;
    }

    /** The decoder has turned these bytes into lines that it has not passed on yet. */
    public void took(ByteBuf buffer, int from) {
        made += MemoryCost.ofLines(buffer, from, buffer.readerIndex());
    }

    /** The decoder has passed its lines on; other charges count them. */
    public void shown() {
        made = 0;
    }

    /**
     * Charges the bytes that the decoder holds.
     *
     * @param kept how much memory there is for bytes that the decoder has made nothing of yet
     */
    public void count(ChannelHandlerContext context, int kept) {
        cost = over || context.isRemoved() || !context.channel().isActive() ? 0 : made + kept;
        Refusal noRoom = charge.hold(cost, () -> context.executor().execute(this::evicted));
        if (noRoom != null) {
            end(noRoom);
        }
    }

    /** It may have become whole before this is told. */
    private void evicted() {
        if (cost > 0 && !over) {
            end(Refusal.TOO_SLOW);
        }
    }

    private void end(Refusal why) {
        drop();
        crowdedOut.accept(why);
    }

    /** Nothing is held any more, or will be. */
    public void drop() {
        over = true;
        cost = 0;
        charge.clear();
    }
}
