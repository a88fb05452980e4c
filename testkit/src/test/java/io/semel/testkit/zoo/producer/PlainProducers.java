// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo.producer;

import io.semel.producer.Batch;
import io.semel.producer.Producer;
import io.semel.producer.Producers;
import io.semel.producer.Receipt;
import io.semel.producer.Receipt.Reason;
import io.semel.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Right, and made so that one rule at a time can be broken. */
class PlainProducers implements Producers {

    final ManualTime time = new ManualTime();
    final Map<Long, Known> producers = new HashMap<>();
    final Map<String, Long> names = new HashMap<>();
    final Map<String, List<String>> log = new HashMap<>();
    private long ids = 1000;

    @Override
    public Producer register() {
        long id = ids += 10;
        Known known = new Known();
        known.used = time.nanos();
        producers.put(id, known);
        return new Producer(id, (short) 0);
    }

    @Override
    public Producer register(String name) {
        Long id = names.get(canonical(name));
        if (id == null) {
            Producer fresh = register();
            names.put(canonical(name), fresh.id());
            return fresh;
        }
        Known known = producers.get(id);
        known.advanced = false;
        return new Producer(id, (short) bump(known));
    }

    @Override
    public Optional<Producer> advance(Producer instance) {
        Known known = producers.get(instance.id());
        if (known == null) {
            return Optional.empty();
        }
        if (known.epoch == instance.epoch()) {
            known.advanced = true;
            bump(known);
            return Optional.of(new Producer(instance.id(), (short) known.epoch));
        }
        return recognises(known, instance)
                ? Optional.of(new Producer(instance.id(), (short) known.epoch))
                : Optional.empty();
    }

    Receipt append(Batch batch, List<String> records, boolean fails) {
        Known known = producers.get(batch.producer().id());
        Optional<Reason> refusal = refusal(known, batch);
        if (refusal.isPresent()) {
            return new Receipt.Refused(refusal.get());
        }
        known.used = touched(known);
        List<Done> done = known.done(place(batch), batch.producer().epoch());
        Optional<Receipt> recognised = recognise(done, batch);
        if (recognised.isPresent()) {
            return recognised.get();
        }
        if (!follows(done, batch)) {
            return new Receipt.Refused(Reason.OUT_OF_ORDER);
        }
        return write(done, batch, records, fails);
    }

    Receipt write(List<Done> done, Batch batch, List<String> records, boolean fails) {
        if (fails) {
            return new Receipt.Appended(-1);
        }
        List<String> stream = log.computeIfAbsent(batch.stream(), name -> new ArrayList<>());
        stream.addAll(records);
        done.add(new Done(batch.first(), batch.last(), stream.size()));
        return new Receipt.Appended(stream.size());
    }

    Optional<Reason> refusal(Known known, Batch batch) {
        if (known == null || batch.producer().epoch() > known.epoch) {
            return Optional.of(Reason.UNKNOWN);
        }
        return batch.producer().epoch() < known.epoch ? Optional.of(Reason.FENCED) : Optional.empty();
    }

    Optional<Receipt> recognise(List<Done> done, Batch batch) {
        return done.subList(Math.max(0, done.size() - remembered()), done.size()).stream()
                .filter(each -> same(each, batch))
                .<Receipt>map(each -> new Receipt.Duplicate(each.position))
                .findFirst();
    }

    boolean follows(List<Done> done, Batch batch) {
        return batch.first() == (done.isEmpty() ? 0 : after(done.get(done.size() - 1).last));
    }

    int after(int last) {
        return last == Integer.MAX_VALUE ? 0 : last + 1;
    }

    boolean same(Done done, Batch batch) {
        return done.first == batch.first() && done.last == batch.last();
    }

    int remembered() {
        return 5;
    }

    int bump(Known known) {
        known.used = time.nanos();
        return ++known.epoch;
    }

    boolean recognises(Known known, Producer instance) {
        return known.advanced && instance.epoch() == known.epoch - 1;
    }

    String place(Batch batch) {
        return batch.stream();
    }

    String canonical(String name) {
        return name;
    }

    long touched(Known known) {
        return time.nanos();
    }

    @Override
    public int purge(Duration idle, int limit) {
        List<Long> over = producers.entrySet().stream()
                .filter(each -> time.nanos() - each.getValue().used >= idle.toNanos())
                .map(Map.Entry::getKey)
                .limit(limit)
                .toList();
        over.forEach(this::forget);
        return over.size();
    }

    void forget(long id) {
        producers.remove(id);
        names.values().remove(id);
    }

    /** What is known of a producer: what each epoch did to each stream. */
    static final class Known {
        int epoch;
        boolean advanced;
        long used;
        final Map<String, Map<Integer, List<Done>>> streams = new HashMap<>();

        List<Done> done(String stream, int ofEpoch) {
            return streams.computeIfAbsent(stream, name -> new HashMap<>())
                    .computeIfAbsent(ofEpoch, number -> new ArrayList<>());
        }
    }

    record Done(int first, int last, long position) {}
}
