// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.http.HttpRules;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a handler sets is replayed, what belongs to one exchange or to others is not. */
@ParameterizedClass
@EnumSource(Container.class)
class ResponseHeadersTest extends Service {

    @Test
    void cookiesAndHeadersOfOneExchangeAreSentOnceAndNeverReplayed() throws Exception {
        handler = (request, response) -> {
            response.addCookie(new Cookie("session", "secret"));
            response.addHeader("Set-Cookie", "b=2; Expires=Wed, 21 Oct 2037 07:28:00 GMT");
            response.setHeader("X-Request-Id", "1");
            response.setDateHeader("Last-Modified", 0);
            response.addHeader("Link", "<a>");
            response.addHeader("Link", "<b>");
            charge(request, response);
        };

        Got first = send(pay());
        Got retry = send(pay());

        assertThat(first.headers("Set-Cookie")).hasSize(2);
        assertThat(retry.headers("Set-Cookie")).isEmpty();
        assertThat(retry.headers("X-Request-Id")).isEmpty();
        assertThat(retry.headers("Link")).containsExactly("<a>", "<b>");
        assertThat(retry.header("Last-Modified")).isEqualTo("Thu, 01 Jan 1970 00:00:00 GMT");
        assertThat(retry.headers("Date")).hasSize(1);
    }

    @Test
    void whatFiltersInFrontSetIsTheirsInEveryAnswer() throws Exception {
        int[] requests = {0};
        front = (request, response, chain) -> {
            ((HttpServletResponse) response).setHeader("X-Request-Id", "request " + ++requests[0]);
            ((HttpServletResponse) response).addHeader("Cache-Control", "no-store");
            chain.doFilter(request, response);
        };

        Got first = send(pay());
        Got retry = send(pay());
        Got mismatch = send(pay().body("{}"));

        assertThat(first.header("X-Request-Id")).isEqualTo("request 1");
        assertThat(retry.headers("X-Request-Id")).containsExactly("request 2");
        assertThat(retry.headers("Cache-Control")).containsExactly("no-store");
        assertThat(mismatch.header("X-Request-Id")).isEqualTo("request 3");
    }

    @Test
    void trailersAndInterimStatusesAreRefused() throws Exception {
        handler = (request, response) -> {
            String refused = "";
            try {
                response.setTrailerFields(() -> Map.of("a", "b"));
            } catch (IllegalStateException e) {
                refused += "trailers ";
            }
            for (int status : List.of(100, 103)) {
                try {
                    response.setStatus(status);
                } catch (IllegalArgumentException e) {
                    refused += status + " ";
                }
            }
            response.getWriter().print(refused);
        };

        assertThat(isRepeated().text()).isEqualTo("trailers 100 103 ");
    }

    @Test
    void anAnswerWithoutContentHasNoLength() throws Exception {
        handler = (request, response) -> response.setStatus(204);

        Got first = isRepeated();

        assertThat(first.status()).isEqualTo(204);
        assertThat(first.headers("Content-Length")).isEmpty();
    }

    @Test
    void aRequestWithAKeyCannotBecomeAnotherProtocol() throws Exception {
        handler = (request, response) -> {
            try {
                request.upgrade(null);
            } catch (IllegalStateException e) {
                response.getWriter().print("refused");
            }
        };

        assertThat(send(pay().header("Upgrade", "h2c").header("Connection", "Upgrade"))
                        .text())
                .isEqualTo("refused");
        assertThat(send(pay()).replayed()).isTrue();
    }

    @Test
    void theRetentionIsAdvertisedInEveryAnswer() throws Exception {
        filter = filter(HttpRules.standard().advertiseRetention());

        assertThat(Stream.of(send(pay()), send(pay())))
                .allMatch(got -> got.headers("Idempotency-Key-Lifetime").equals(List.of("86400")));
    }
}
