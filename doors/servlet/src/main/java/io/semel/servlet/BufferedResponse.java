// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import io.semel.http.Answer;
import io.semel.http.Answer.Header;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A response that is held back: status and body stay here, headers go to the container's response, which does not commit
 * before something is written to it. So a handler can take everything back until it has ended.
 */
final class BufferedResponse extends BufferedHeaders implements Closeable {

    private final HttpServletResponse response;
    private final Spool spool;
    private final HandlerRun execution;
    private int status = SC_OK;
    private int bufferSize;
    private @Nullable BufferedOutput stream;
    private @Nullable ServletOutputStream output;
    private @Nullable PrintWriter writer;
    private @Nullable String message;
    private boolean failed;
    private boolean answered;
    private boolean recorded;

    BufferedResponse(HttpServletResponse response, Spool spool, HandlerRun execution) {
        super(response);
        this.response = response;
        this.spool = spool;
        this.execution = execution;
        this.bufferSize = response.getBufferSize();
    }

    /** The answer without its body. */
    Answer head() {
        return new Answer(status, lines().set(), new byte[0]);
    }

    /** The body; empty if it is too large to be kept. */
    Optional<byte[]> content(int largest) throws IOException {
        if (isPassing()) {
            return Optional.empty();
        }
        flushWriter();
        return spool.size() > largest ? Optional.empty() : Optional.of(spool.bytes());
    }

    void recorded(boolean kept) {
        recorded = kept;
    }

    /** The container makes pages for errors when nobody can record them any more; so it does only for those that are not. */
    void send(List<Header> more) throws IOException {
        if (failed && !recorded) {
            response.sendError(status, message);
            return;
        }
        if (response.isCommitted()) {
            execution.log(
                    "The container closed the response to a request with an idempotency key before its answer was"
                            + " sent; retries get it. Forward with the dispatcher of the request, not with that of the context.",
                    null);
        }
        response.setStatus(status);
        ResponseWriter.lines(more, response);
        ResponseWriter.announce(status, spool.size(), response);
        if (spool.size() > 0) {
            spool.writeTo(response.getOutputStream());
        }
    }

    @Override
    public void close() throws IOException {
        spool.close();
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        if (writer != null) {
            throw new IllegalStateException("getWriter has been called for this response.");
        }
        if (output == null) {
            output = open();
        }
        return output;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        if (writer == null) {
            if (output != null) {
                throw new IllegalStateException("getOutputStream has been called for this response.");
            }
            Charset charset = charset(getCharacterEncoding());
            fixCharset(charset);
            writer = new PrintWriter(new OutputStreamWriter(open(), charset));
        }
        return writer;
    }

    /** A stream of events is known by its type, when the handler begins to write. */
    private ServletOutputStream open() throws IOException {
        if (isEventStream() && !answered) {
            execution.stream(head());
            response.setStatus(status);
            pass();
            return response.getOutputStream();
        }
        stream = new BufferedOutput(spool, execution::async);
        if (answered) {
            stream.close();
        }
        return stream;
    }

    @Override
    public void flushBuffer() throws IOException {
        if (writer != null) {
            writer.flush();
        }
        if (isPassing()) {
            super.flushBuffer();
        }
    }

    /** Not before the handler has decided on its answer: what was not sent can still be taken back. */
    @Override
    public boolean isCommitted() {
        return answered || super.isCommitted();
    }

    @Override
    public void reset() {
        resetBuffer();
        super.reset();
        lines().clear();
        freeCharset();
        status = SC_OK;
        writer = null;
        output = null;
    }

    @Override
    public void resetBuffer() {
        if (isPassing()) {
            super.resetBuffer();
            return;
        }
        if (answered) {
            throw new IllegalStateException("An error or a redirect has been sent; it cannot be taken back.");
        }
        clear();
    }

    private void clear() {
        try {
            flushWriter();
            spool.clear();
        } catch (IOException e) {
            throw new IllegalStateException("What was written could not be taken back.", e);
        }
    }

    private void flushWriter() throws IOException {
        if (writer != null && writer.checkError()) {
            throw new IOException(
                    "What was written to the response's writer could not be held back; it may be too large.");
        }
    }

    @Override
    public void setBufferSize(int size) {
        if (spool.size() > 0 || isCommitted()) {
            throw new IllegalStateException("The size of the buffer is set before anything is written.");
        }
        bufferSize = size;
    }

    @Override
    public int getBufferSize() {
        return bufferSize;
    }

    @Override
    public void setStatus(int code) {
        checkFinal(code);
        if (!answered) {
            status = code;
        }
        if (isPassing()) {
            super.setStatus(code);
        }
    }

    @Override
    public int getStatus() {
        return status;
    }

    @Override
    public void sendError(int code) throws IOException {
        sendError(code, null);
    }

    @Override
    public void sendError(int code, @Nullable String text) throws IOException {
        checkFinal(code);
        if (isPassing()) {
            super.sendError(code, text);
            return;
        }
        answer(code, true);
        super.setContentType(null);
        failed = true;
        message = text;
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        sendRedirect(location, SC_FOUND, true);
    }

    @Override
    public void sendRedirect(String location, int code) throws IOException {
        sendRedirect(location, code, true);
    }

    @Override
    public void sendRedirect(String location, boolean clearBuffer) throws IOException {
        sendRedirect(location, SC_FOUND, clearBuffer);
    }

    @Override
    public void sendRedirect(String location, int code, boolean clearBuffer) throws IOException {
        if (isPassing()) {
            super.sendRedirect(location, code, clearBuffer);
            return;
        }
        answer(code, clearBuffer);
        setHeader("Location", location);
    }

    private void answer(int code, boolean clearBuffer) throws IOException {
        if (answered) {
            throw new IllegalStateException("An error or a redirect has been sent already.");
        }
        if (clearBuffer) {
            clear();
        } else {
            flushWriter();
        }
        status = code;
        answered = true;
        if (stream != null) {
            stream.close();
        }
    }

    private static void checkFinal(int code) {
        if (code < SC_OK) {
            throw new IllegalArgumentException(
                    "A request with an idempotency key is answered with a final status, from 200 on, not with " + code
                            + ".");
        }
    }

    private static Charset charset(String name) throws UnsupportedEncodingException {
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException e) {
            UnsupportedEncodingException unsupported = new UnsupportedEncodingException(name);
            unsupported.initCause(e);
            throw unsupported;
        }
    }
}
