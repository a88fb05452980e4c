// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.gateway.Gateway;
import io.semel.memory.MemoryStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same bytes at the gateway and at nginx: what both pass on is the same, and what nginx takes for a body is no request here. */
@Tag("nginx")
class DifferentialFuzzTest {

    private static final int CLIENTS = 48;

    @TempDir
    private Path directory;

    @Test
    void theGatewayReadsWhatNginxReads() throws Exception {
        try (RecordingService behindUs = new RecordingService();
                RecordingService behindNginx = new RecordingService();
                Nginx nginx = new Nginx(directory, behindNginx.port());
                Gateway gateway =
                        FuzzedGateway.start(directory, RequestFuzzTest.LIMITS, behindUs.port(), new MemoryStore())) {
            int ours = gateway.address().getPort();
            AtomicLong compared = new AtomicLong();
            Fuzzing fuzzing = new Fuzzing();
            long streams = fuzzing.run(CLIENTS, seed -> {
                RequestStream stream = RequestStream.of(seed);
                Answers answers = Answers.to(stream, ours);
                List<ReceivedRequest> arrived = behindUs.take(stream.id());
                new Judge(stream).judge(answers, arrived);
                Answers others = Answers.to(stream, nginx.port());
                List<ReceivedRequest> there = behindNginx.take(stream.id());
                assertThat(others.isEnded()).as("nginx ends %s", stream).isTrue();
                compared.addAndGet(compare(stream, arrived, there));
            });
            System.out.println("Fuzzed " + streams + " streams from seed " + fuzzing.first() + " on; " + compared
                    + " requests reached both services.");
            assertThat(Fuzzing.isOne() || compared.get() > streams / 2)
                    .as("enough of the streams say something")
                    .isTrue();
        }
    }

    /** Either may refuse what the other takes. */
    private static int compare(RequestStream stream, List<ReceivedRequest> ours, List<ReceivedRequest> nginx) {
        Set<String> ids = nginx.stream().map(ReceivedRequest::id).collect(Collectors.toSet());
        List<ReceivedRequest> both =
                ours.stream().filter(each -> ids.contains(each.id())).toList();
        if (!both.isEmpty()) {
            assertThat(nginx).as("%s", stream).containsSubsequence(both);
        }
        boolean readToTheEnd = ids.contains(stream.id() + "end");
        if (readToTheEnd) {
            assertThat(ours).as("taken for requests: %s", stream).isEqualTo(both);
        }
        return both.size();
    }
}
