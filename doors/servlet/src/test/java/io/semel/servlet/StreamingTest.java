// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.http.HttpRules;
import io.semel.http.Streaming;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams of events are refused, or pass unrecorded; they are never half recorded. */
@ParameterizedClass
@EnumSource(Container.class)
class StreamingTest extends Service {

    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @Test
    void aStreamOfEventsIsRefusedUnlessToldOtherwise() throws Exception {
        mayEnd.countDown();
        handler = this::stream;

        Got first = send(pay());

        assertThat(first.status()).isEqualTo(500);
        assertThat(first.text()).doesNotContain("data:");
        assertThat(records()).isZero();
    }

    @Test
    void aStreamOfEventsPassesAsItComesAndARetryIsToldThatItWasNotKept() throws Exception {
        filter = filter(HttpRules.standard()).streaming(Streaming.PASS);
        handler = this::stream;
        try (Client.Line line = client().open()) {
            line.write(pay().bytes());

            assertThat(line.readHead().status()).isEqualTo(202);
            assertThat(new String(line.chunk(), UTF_8)).isEqualTo("data: one\n\n");
            assertThat(send(pay()).problem()).isEqualTo("result-unavailable");
            mayEnd.countDown();
            assertThat(new String(line.chunk(), UTF_8)).isEqualTo("data: two\n\n");
        }

        assertThat(send(pay()).problem()).isEqualTo("result-unavailable");
        assertThat(effects).hasValue(1);
    }

    @Test
    void withoutAKeyAStreamOfEventsIsNoneOfTheFiltersBusiness() throws Exception {
        mayEnd.countDown();
        handler = this::stream;

        assertThat(send(Sent.post("/events").body("x")).text()).isEqualTo("data: one\n\ndata: two\n\n");
    }

    private void stream(HttpServletRequest request, HttpServletResponse response) throws IOException {
        effects.incrementAndGet();
        response.setContentType("text/event-stream;charset=UTF-8");
        response.setStatus(202);
        response.getWriter().print("data: one\n\n");
        response.flushBuffer();
        try {
            mayEnd.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        response.getWriter().print("data: two\n\n");
        response.flushBuffer();
    }
}
