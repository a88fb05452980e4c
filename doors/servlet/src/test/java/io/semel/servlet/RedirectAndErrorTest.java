// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A redirect or an error ends the answer; what a handler throws leaves none. */
@ParameterizedClass
@EnumSource(Container.class)
class RedirectAndErrorTest extends Service {

    @Test
    void aRedirectIsRecorded() throws Exception {
        handler = (request, response) -> {
            response.getWriter().print("dropped");
            response.sendRedirect("/payments/17");
            response.getWriter().print("dropped too");
            response.setStatus(500);
        };

        Got first = isRepeated();

        assertThat(first.status()).isEqualTo(302);
        assertThat(first.header("Location")).endsWith("/payments/17");
        assertThat(first.text()).isEmpty();
    }

    @Test
    void aRedirectMayHaveAnotherStatusAndKeepItsBody() throws Exception {
        handler = (request, response) -> {
            response.getWriter().print("see there");
            response.sendRedirect("/there", 303, false);
        };

        Got first = isRepeated();

        assertThat(first.status()).isEqualTo(303);
        assertThat(first.text()).isEqualTo("see there");
    }

    @Test
    void anErrorThatIsRecordedHasNoPageBecauseThatWouldBeMadeTooLateToRecord() throws Exception {
        handler = (request, response) -> {
            effects.incrementAndGet();
            response.setContentType("text/plain");
            response.getWriter().print("dropped");
            response.sendError(404, "no such order");
            response.getWriter().print("dropped too");
        };

        Got first = isRepeated();

        assertThat(first.status()).isEqualTo(404);
        assertThat(first.text()).isEmpty();
        assertThat(effects).hasValue(1);
    }

    @Test
    void anErrorThatIsNotRecordedHasTheContainersPage() throws Exception {
        handler = (request, response) -> response.sendError(effects.incrementAndGet() == 1 ? 500 : 403);

        Got first = send(pay());
        Got second = send(pay());

        assertThat(first.status()).isEqualTo(500);
        assertThat(first.text()).isNotEmpty();
        assertThat(second.status()).isEqualTo(403);
        assertThat(records()).isZero();
    }

    @Test
    void whatAHandlerThrowsBeforeItWritesForgetsTheKey() throws Exception {
        handler = (request, response) -> {
            throw new IllegalStateException("no connection");
        };
        assertThat(send(pay()).status()).isEqualTo(500);
        assertThat(records()).isZero();

        handler = this::charge;
        assertThat(send(pay()).text()).isEqualTo("payment 1");
    }

    @Test
    void whatAHandlerThrowsAfterItHasWrittenAndFlushedForgetsTheKeyToo() throws Exception {
        handler = (request, response) -> {
            response.setStatus(201);
            response.getOutputStream().write(new byte[100_000]);
            response.flushBuffer();
            throw new IOException("disk full");
        };
        Got first = send(pay());

        assertThat(first.status()).isEqualTo(500);
        assertThat(records()).isZero();
    }
}
