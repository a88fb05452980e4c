// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.http.HttpRules;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever a handler does to its response, the client and its retries see the same. */
@ParameterizedClass
@EnumSource(Container.class)
class ResponseTest extends Service {

    @Test
    void whatIsWrittenToTheWriterIsRecordedInItsCharset() throws Exception {
        handler = (request, response) -> {
            response.setContentType("text/plain");
            response.setCharacterEncoding("UTF-8");
            PrintWriter writer = response.getWriter();
            response.setCharacterEncoding("UTF-16");
            response.setContentType("text/html;charset=UTF-16");
            writer.print("ığ");
        };

        Got first = isRepeated();

        assertThat(first.text()).isEqualTo("ığ");
        assertThat(first.header("Content-Type")).isEqualToIgnoringCase("text/html;charset=utf-8");
    }

    @Test
    void aWriterWithoutACharsetSaysWhichOneItTook() throws Exception {
        handler = (request, response) -> {
            response.setContentType("text/plain");
            response.getWriter().print("plain");
        };

        assertThat(isRepeated().header("Content-Type")).isEqualToIgnoringCase("text/plain;charset=iso-8859-1");
    }

    @Test
    void anUnknownCharsetIsTheHandlersException() throws Exception {
        handler = (request, response) -> {
            response.setCharacterEncoding("klingon");
            response.getWriter().print("x");
        };

        assertThat(send(pay()).status()).isEqualTo(500);
        assertThat(records()).isZero();
    }

    @Test
    void flushingAndClosingSendNothingBeforeTheHandlerHasEnded() throws Exception {
        handler = (request, response) -> {
            response.getOutputStream().write("one".getBytes(UTF_8));
            response.flushBuffer();
            response.getOutputStream().flush();
            response.setHeader("X-Committed", Boolean.toString(response.isCommitted()));
            response.getOutputStream().close();
            response.getOutputStream().write('x');
        };

        Got first = isRepeated();

        assertThat(first.text()).isEqualTo("one");
        assertThat(first.header("Content-Length")).isEqualTo("3");
        assertThat(first.header("X-Committed")).isEqualTo("false");
    }

    @Test
    void aHandlerMayTakeBackWhatItHasWrittenUntilItEnds() throws Exception {
        handler = (request, response) -> {
            response.setStatus(418);
            response.setHeader("ETag", "\"old\"");
            response.getWriter().print("old");
            response.flushBuffer();
            response.reset();
            response.setStatus(201);
            response.getOutputStream().write("half".getBytes(UTF_8));
            response.resetBuffer();
            response.getOutputStream().write("new".getBytes(UTF_8));
        };

        Got first = isRepeated();

        assertThat(first.status()).isEqualTo(201);
        assertThat(first.text()).isEqualTo("new");
        assertThat(first.header("ETag")).isNull();
    }

    @Test
    void theLengthIsThatOfTheBodyWhateverTheHandlerSays() throws Exception {
        handler = (request, response) -> {
            response.setContentLength(3);
            response.setContentLengthLong(5);
            response.setIntHeader("Content-Length", 7);
            response.setHeader("content-length", "9");
            response.addHeader("Transfer-Encoding", "chunked");
            response.getOutputStream().write("four".getBytes(UTF_8));
        };

        Got first = isRepeated();

        assertThat(first.headers("Content-Length")).containsExactly("4");
        assertThat(first.headers("Transfer-Encoding")).isEmpty();
    }

    @Test
    void theBufferHasASizeThatIsSetBeforeWriting() throws Exception {
        handler = (request, response) -> {
            response.setBufferSize(12_345);
            int size = response.getBufferSize();
            response.getOutputStream().write('x');
            String late = "";
            try {
                response.setBufferSize(1);
            } catch (IllegalStateException e) {
                late = " refused";
            }
            response.getOutputStream().print(size + late);
        };

        assertThat(isRepeated().text()).isEqualTo("x12345 refused");
    }

    @Test
    void aResponseIsWrittenEitherAsAStreamOrAsCharacters() throws Exception {
        handler = (request, response) -> {
            PrintWriter writer = response.getWriter();
            try {
                response.getOutputStream();
            } catch (IllegalStateException e) {
                writer.print("refused");
            }
        };

        assertThat(isRepeated().text()).isEqualTo("refused");
    }

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
    void cookiesAreReplayedOneByOneWhereTheRulesSaySo() throws Exception {
        filter = filter(HttpRules.standard().replayHeaders("Set-Cookie"));
        handler = (request, response) -> {
            response.addHeader("Set-Cookie", "a=1");
            response.addHeader("Set-Cookie", "b=2; Expires=Wed, 21 Oct 2037 07:28:00 GMT");
        };

        assertThat(send(pay()).headers("Set-Cookie")).hasSize(2);
        assertThat(send(pay()).headers("Set-Cookie"))
                .containsExactly("a=1", "b=2; Expires=Wed, 21 Oct 2037 07:28:00 GMT");
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

    @Test
    void whatAnotherServletIsForwardedToWritesIsRecorded() throws Exception {
        handler = (request, response) -> {
            if (request.getDispatcherType() == DispatcherType.FORWARD) {
                response.setContentType("text/plain;charset=UTF-8");
                response.getWriter().print("inner " + effects.incrementAndGet() + " " + request.getParameter("p"));
            } else {
                response.getWriter().print("dropped");
                request.getRequestDispatcher("/inner?p=1").forward(request, response);
            }
        };

        assertThat(isRepeated().text()).isEqualTo("inner 1 1");
    }

    @Test
    void whatAnotherServletIncludesIsRecorded() throws Exception {
        handler = (request, response) -> {
            if (request.getDispatcherType() == DispatcherType.INCLUDE) {
                response.getWriter().print("inner");
            } else {
                response.getWriter().print("outer ");
                request.getRequestDispatcher("/inner").include(request, response);
            }
        };

        assertThat(isRepeated().text()).isEqualTo("outer inner");
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
    void readingMethodsPassWhateverKeyTheyCarry() throws Exception {
        handler = (request, response) -> {
            effects.incrementAndGet();
            response.getWriter().print(request.getMethod());
        };
        for (String method : List.of("GET", "OPTIONS")) {
            assertThat(send(Sent.of(method, "/payments").key("not a key").key("two"))
                            .text())
                    .isEqualTo(method);
        }
        try (Client.Line line = client().open()) {
            line.write(Sent.of("HEAD", "/payments").key(key).bytes());
            assertThat(line.readHead().status()).isEqualTo(200);
        }
        assertThat(effects).hasValue(3);
        assertThat(records()).isZero();
    }

    /** Sends the request twice; the second answer is the first one's twin. */
    private Got isRepeated() throws IOException {
        Got first = send(pay());
        Got retry = send(pay());
        assertThat(first.replayed()).isFalse();
        assertThat(retry.replayed()).isTrue();
        assertThat(retry.status()).isEqualTo(first.status());
        assertThat(retry.body()).isEqualTo(first.body());
        assertThat(retry.headers("Content-Type")).isEqualTo(first.headers("Content-Type"));
        assertThat(retry.headers("Location")).isEqualTo(first.headers("Location"));
        return first;
    }
}
