// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.http.HttpRules;
import java.io.PrintWriter;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers that are larger than memory, than is kept, or than may be held. */
@ParameterizedClass
@EnumSource(Container.class)
class LargeAnswerTest extends Service {

    @Test
    void aLargeAnswerIsSpilledAndRecorded() throws Exception {
        filter = filter(HttpRules.standard()).inMemory(1000);
        byte[] body = new byte[900_000];
        new Random(3).nextBytes(body);
        handler = (request, response) -> {
            for (int from = 0; from < body.length; from += 9000) {
                response.getOutputStream().write(body, from, 9000);
            }
        };

        assertThat(isRepeated().body()).isEqualTo(body);
    }

    @Test
    void anAnswerOverTheCapGoesOutWholeAndLeavesATombstone() throws Exception {
        filter = filter(PAYMENTS.keepAnswersUpTo(10_000), HttpRules.standard()).inMemory(1000);
        handler = (request, response) -> {
            effects.incrementAndGet();
            response.setStatus(201);
            response.getOutputStream().write(new byte[20_000]);
        };

        Got first = send(pay());
        Got retry = send(pay());

        assertThat(first.status()).isEqualTo(201);
        assertThat(first.body()).hasSize(20_000);
        assertThat(retry.problem()).isEqualTo("result-unavailable");
        assertThat(effects).hasValue(1);
    }

    @Test
    void anAnswerLargerThanMayBeHeldIsTheHandlersException() throws Exception {
        filter = filter(HttpRules.standard()).largestAnswer(1000);
        handler = (request, response) -> {
            PrintWriter writer = response.getWriter();
            for (int i = 0; i < 100; i++) {
                writer.print("x".repeat(1000));
            }
        };

        Got first = send(pay());

        assertThat(first.status()).isEqualTo(500);
        assertThat(records()).isZero();
    }
}
