// SPDX-License-Identifier: Apache-2.0
package io.semel.producer;

import io.semel.producer.Receipt.Reason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is remembered of one producer on one stream: its epoch there, its last batches, and from them what may follow.
 *
 * @param batches at most {@link #REMEMBERED}, oldest first; empty before the first
 */
public record StreamState(short epoch, List<Kept> batches) {

    /** How many batches of a producer on a stream are recognised when they come again. */
    public static final int REMEMBERED = 5;

    private static final byte FORMAT = 1;

    public StreamState {
        batches = List.copyOf(batches);
    }

    /** A stream that this instance of a producer has not appended to. */
    public static StreamState fresh(Producer producer) {
        return new StreamState(producer.epoch(), List.of());
    }

    /**
     * What is to be said of a batch without appending it; empty if it is next.
     *
     * <p>The epoch of the batch must be the registered one. What an older epoch left here counts for nothing.
     */
    public Optional<Receipt> known(Batch batch) {
        if (batch.producer().epoch() != epoch) {
            return batch.first() == 0 ? Optional.empty() : refused();
        }
        for (Kept kept : batches) {
            if (kept.first == batch.first() && kept.last == batch.last()) {
                return Optional.of(new Receipt.Duplicate(kept.position));
            }
        }
        return batch.first() == next() ? Optional.empty() : refused();
    }

    private static Optional<Receipt> refused() {
        return Optional.of(new Receipt.Refused(Reason.OUT_OF_ORDER));
    }

    /** The sequence number that comes next. */
    public int next() {
        return batches.isEmpty() ? 0 : Batch.plus(batches.get(batches.size() - 1).last, 1);
    }

    /** The state once a batch is appended. */
    public StreamState with(Batch batch, long position) {
        List<Kept> all = new ArrayList<>(batch.producer().epoch() == epoch ? batches : List.of());
        all.add(new Kept(batch.first(), batch.last(), position));
        return new StreamState(batch.producer().epoch(), all.subList(Math.max(0, all.size() - REMEMBERED), all.size()));
    }

    /** As it is stored. */
    public byte[] toBytes() {
        ByteBuffer bytes = ByteBuffer.allocate(4 + batches.size() * Kept.BYTES);
        bytes.put(FORMAT).putShort(epoch).put((byte) batches.size());
        batches.forEach(kept -> bytes.putInt(kept.first).putInt(kept.last).putLong(kept.position));
        return bytes.array();
    }

    /** As it was stored. */
    public static StreamState read(byte[] stored) {
        ByteBuffer bytes = ByteBuffer.wrap(stored);
        if (stored.length < 4 || bytes.get() != FORMAT || stored.length != 4 + stored[3] * Kept.BYTES) {
            throw new IllegalStateException(
                    "This is no state of a producer that this version can read, or it is damaged: " + stored.length
                            + " bytes.");
        }
        short epoch = bytes.getShort();
        List<Kept> batches = new ArrayList<>();
        for (int left = bytes.get(); left > 0; left--) {
            batches.add(new Kept(bytes.getInt(), bytes.getInt(), bytes.getLong()));
        }
        return new StreamState(epoch, batches);
    }

    /** A batch that would be recognised. */
    public record Kept(int first, int last, long position) {
        private static final int BYTES = 16;
    }
}
