// SPDX-License-Identifier: Apache-2.0
package io.semel.producer;

import io.semel.producer.Receipt.Reason;
import io.semel.time.Time;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** {@link Producers} in this process's memory, for logs that are there too: the rules without a database. */
public final class MemoryProducers implements Producers {

    private final Time time;
    private final SecureRandom random = new SecureRandom();
    private final Map<Long, Known> producers = new HashMap<>();
    private final Map<String, Long> names = new HashMap<>();

    public MemoryProducers() {
        this(Time.system());
    }

    /** Producers whose idleness follows the given time; for tests. */
    public MemoryProducers(Time time) {
        this.time = time;
    }

    @Override
    public synchronized Producer register() {
        return add(null, ProducerState.of(freshId()));
    }

    @Override
    public synchronized Producer register(String name) {
        Batch.checkName("producer", name);
        Long id = names.get(name);
        Known known = id == null ? null : producers.get(id);
        if (known == null) {
            return add(name, ProducerState.of(freshId()));
        }
        return become(known, known.state.registered(freshId()));
    }

    @Override
    public synchronized Optional<Producer> advance(Producer instance) {
        Known known = producers.get(instance.id());
        return known == null
                ? Optional.empty()
                : known.state.advanced(instance, freshId()).map(next -> become(known, next));
    }

    /**
     * Appends a batch, once: what appends it is run if the batch is next, while no other batch can be appended.
     *
     * @param append appends the records, and tells where; if it throws, nothing is remembered
     */
    public synchronized Receipt append(Batch batch, LongSupplier append) {
        Known known = producers.get(batch.producer().id());
        Optional<Reason> refusal = known == null ? Optional.of(Reason.UNKNOWN) : known.state.refusal(batch.producer());
        if (known == null || refusal.isPresent()) {
            return new Receipt.Refused(refusal.orElseThrow());
        }
        known.used = time.nanos();
        StreamState stream = known.streams.getOrDefault(batch.stream(), StreamState.fresh(batch.producer()));
        return stream.known(batch).orElseGet(() -> {
            long position = append.getAsLong();
            known.streams.put(batch.stream(), stream.with(batch, position));
            return new Receipt.Appended(position);
        });
    }

    @Override
    public synchronized int purge(Duration idle, int limit) {
        int purged = 0;
        long now = time.nanos();
        for (Iterator<Known> all = producers.values().iterator(); all.hasNext() && purged < limit; ) {
            Known known = all.next();
            if (now - known.used >= idle.toNanos()) {
                all.remove();
                names.remove(known.name);
                purged++;
            }
        }
        return purged;
    }

    private Producer add(@Nullable String name, ProducerState state) {
        Known known = new Known(name, state);
        known.used = time.nanos();
        producers.put(state.latest().id(), known);
        if (name != null) {
            names.put(name, state.latest().id());
        }
        return state.latest();
    }

    private Producer become(Known known, ProducerState next) {
        if (next.latest().id() == known.state.latest().id()) {
            known.state = next;
            known.used = time.nanos();
            return next.latest();
        }
        producers.remove(known.state.latest().id());
        return add(known.name, next);
    }

    private long freshId() {
        return random.nextLong() & Long.MAX_VALUE;
    }

    private static final class Known {

        private final @Nullable String name;
        private final Map<String, StreamState> streams = new HashMap<>();
        private ProducerState state;
        private long used;

        Known(@Nullable String name, ProducerState state) {
            this.name = name;
            this.state = state;
        }
    }
}
