// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The fuzzer of requests is put before proxies that are wrong on purpose: it finds every fault, and blames no proxy without one. */
class RequestZooTest {

    /** What the gateway is sent in less than ten seconds. */
    private static final int STREAMS = 2000;

    @ParameterizedTest
    @EnumSource
    void everyFaultIsFound(Fault fault) throws Exception {
        assertThat(foundAfter(Set.of(fault))).as("%s is found", fault).isLessThan(STREAMS);
    }

    @Test
    void aProxyWithoutFaultsIsNotBlamed() throws Exception {
        assertThat(foundAfter(Set.of())).isEqualTo(STREAMS);
    }

    private static int foundAfter(Set<Fault> faults) throws IOException {
        try (RecordingService service = new RecordingService();
                FaultyProxy proxy = new FaultyProxy(faults, service.port())) {
            for (int seed = 1; seed <= STREAMS; seed++) {
                RequestStream stream = RequestStream.of(seed);
                Answers answers = Answers.to(stream, proxy.port());
                List<ReceivedRequest> arrived = service.take(stream.id());
                try {
                    new Judge(stream).judge(answers, arrived);
                    assertThat(service.take("")).as("arrived without an id").isEmpty();
                } catch (AssertionError e) {
                    if (faults.isEmpty()) {
                        throw e;
                    }
                    System.out.println("Found after " + seed + " streams: " + faults);
                    return seed;
                }
            }
            return STREAMS;
        }
    }
}
