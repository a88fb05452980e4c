// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.DispatcherType;
import java.io.PrintWriter;
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
}
