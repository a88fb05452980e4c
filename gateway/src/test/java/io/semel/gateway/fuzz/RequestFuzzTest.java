// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.gateway.Gateway;
import io.semel.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random streams of nearly right requests: what the gateway passes on is what a strict reader finds in them, every answer goes to whoever
 * asked, and all of a valid stream is answered.
 */
class RequestFuzzTest {

    static final String LIMITS = "limits: {headerTime: 1s, bodyTime: 1s, idleTime: 1s}";

    private static final int CLIENTS = 48;

    @TempDir
    private Path directory;

    @Test
    void nothingArrivesButWhatWasAsked() throws Exception {
        try (RecordingService service = new RecordingService();
                Gateway gateway = FuzzedGateway.start(directory, LIMITS, service.port(), new MemoryStore())) {
            int port = gateway.address().getPort();
            Fuzzing fuzzing = new Fuzzing();
            AtomicLong whole = new AtomicLong();
            long streams = fuzzing.run(CLIENTS, seed -> {
                if (judge(RequestStream.of(seed), port, service)) {
                    whole.incrementAndGet();
                }
            });
            late(service, fuzzing.first(), streams, RequestStream::of);
            System.out.println("Fuzzed " + streams + " streams from seed " + fuzzing.first() + " on; " + whole
                    + " valid ones were answered whole.");
            assertThat(Fuzzing.isOne() || whole.get() > streams / 10)
                    .as("a fifth is valid, and hardly any is too slow")
                    .isTrue();
        }
    }

    @Test
    void whatWentWrongOnceIsRight() throws Exception {
        try (RecordingService service = new RecordingService();
                Gateway gateway = FuzzedGateway.start(directory, LIMITS, service.port(), new MemoryStore())) {
            List<String> kept = Fuzzing.kept("requests.txt");
            LongFunction<RequestStream> streams = seed -> RequestStream.kept(kept.get((int) seed - 1), seed);
            for (long seed = 1; seed <= kept.size(); seed++) {
                judge(streams.apply(seed), gateway.address().getPort(), service);
            }
            late(service, 1, kept.size(), streams);
        }
    }

    private static boolean judge(RequestStream stream, int port, RecordingService service) throws IOException {
        Answers answers = Answers.to(stream, port);
        List<ReceivedRequest> arrived = service.take(stream.id());
        return new Judge(stream).judge(answers, arrived);
    }

    /** What arrives when its client is gone is no less to be looked at. */
    private static void late(RecordingService service, long first, long count, LongFunction<RequestStream> streams) {
        Map<String, List<ReceivedRequest>> rest = service.rest();
        for (long seed = first; !rest.isEmpty() && seed < first + count; seed++) {
            List<ReceivedRequest> arrived = rest.remove(RequestStream.id(seed));
            if (arrived != null) {
                new Judge(streams.apply(seed)).judge(arrived);
            }
        }
        assertThat(rest).as("arrived, and are in no stream").isEmpty();
    }
}
