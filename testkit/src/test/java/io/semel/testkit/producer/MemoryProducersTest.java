// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.producer;

import io.semel.producer.Batch;
import io.semel.producer.MemoryProducers;
import io.semel.producer.Producers;
import io.semel.producer.Receipt;
import io.semel.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class MemoryProducersTest extends ProducerContract {

    private final ManualTime time = new ManualTime();
    private final MemoryProducers producers = new MemoryProducers(time);
    private final Map<String, List<String>> log = new HashMap<>();

    @Override
    protected Producers open() {
        return producers;
    }

    @Override
    protected Receipt append(Batch batch, List<String> records) {
        return producers.append(batch, () -> {
            List<String> stream = log.computeIfAbsent(batch.stream(), name -> new ArrayList<>());
            stream.addAll(records);
            return stream.size();
        });
    }

    @Override
    protected Receipt append(Batch batch, List<String> records, RuntimeException failure) {
        return producers.append(batch, () -> {
            throw failure;
        });
    }

    @Override
    protected List<String> records(String stream) {
        return List.copyOf(log.getOrDefault(stream, List.of()));
    }

    @Override
    protected void elapse(Duration span) {
        time.pause(span);
    }
}
