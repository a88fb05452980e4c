// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo.producer;

import io.semel.producer.Batch;
import io.semel.producer.Producers;
import io.semel.producer.Receipt;
import io.semel.testkit.producer.ProducerContract;
import java.time.Duration;
import java.util.List;

/** The contract around whatever was put in last. */
class ProducerCage extends ProducerContract {

    private static volatile Class<? extends PlainProducers> next = PlainProducers.class;

    private final PlainProducers producers = make();

    /** What the contract is run on from now. */
    static void put(Class<? extends PlainProducers> animal) {
        next = animal;
    }

    private static PlainProducers make() {
        try {
            return next.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("Producers of the zoo cannot be made: " + next, e);
        }
    }

    @Override
    protected Producers open() {
        return producers;
    }

    @Override
    protected Receipt append(Batch batch, List<String> records) {
        return producers.append(batch, records, false);
    }

    @Override
    protected Receipt append(Batch batch, List<String> records, RuntimeException failure) {
        producers.append(batch, records, true);
        throw failure;
    }

    @Override
    protected List<String> records(String stream) {
        return List.copyOf(producers.log.getOrDefault(stream, List.of()));
    }

    @Override
    protected void elapse(Duration span) {
        producers.time.pause(span);
    }
}
