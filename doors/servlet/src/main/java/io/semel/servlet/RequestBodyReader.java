// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import io.semel.http.Admission;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Takes a request's body in, for the door and for the handler, and notices if somebody in front has read it already. */
record RequestBodyReader(HttpServletRequest request, Spool body) {

    private static final int CHUNK = 1 << 13;

    void read(Admission.Reading admitted) throws IOException, ServletException {
        ServletInputStream in = open();
        boolean atEnd = in.isFinished();
        byte[] chunk = new byte[chunkFor(request.getContentLengthLong())];
        for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
            if (!admitted.update(chunk, 0, count)) {
                return;
            }
            body.write(chunk, 0, count);
        }
        if (isMissing(atEnd)) {
            throw taken(null);
        }
    }

    private ServletInputStream open() throws IOException, ServletException {
        try {
            return request.getInputStream();
        } catch (IllegalStateException e) {
            throw taken(e);
        }
    }

    /** One byte more than is announced, so that the end is seen in the same round. */
    private static int chunkFor(long announced) {
        return announced < 0 || announced >= CHUNK ? CHUNK : (int) announced + 1;
    }

    private boolean isMissing(boolean atEnd) {
        long announced = request.getContentLengthLong();
        if (announced >= 0) {
            // What a filter in front has decoded may be shorter than it came.
            boolean decoded = body.size() > 0 && request.getHeader("Content-Encoding") != null;
            return body.size() < announced && !decoded;
        }
        boolean empty = body.size() == 0;
        return isChunked() ? empty && (atEnd || isForm()) : isFramed() && empty && (isForm() || (atEnd && isTyped()));
    }

    private boolean isChunked() {
        return request.getHeader("Transfer-Encoding") != null;
    }

    /** Before HTTP/2 a body without a length comes in chunks, and that is all there is; since then its frames are not seen. */
    private boolean isFramed() {
        return !request.getProtocol().startsWith("HTTP/1.");
    }

    /** Not every container tells the stream that it has read the parameters; and nobody sends an empty form in this way. */
    private boolean isForm() {
        String type = request.getContentType();
        String lower = type == null ? "" : type.strip().toLowerCase(Locale.ROOT);
        return lower.startsWith("application/x-www-form-urlencoded") || lower.startsWith("multipart/form-data");
    }

    private boolean isTyped() {
        return request.getContentType() != null;
    }

    /** Without its body, another request with the same key would be taken for a retry. */
    private static ServletException taken(@Nullable Throwable cause) {
        return new ServletException(
                "The body of a request with an idempotency key was read, or begun, before it came to the idempotency"
                        + " filter, perhaps by getParameter. Put the filter in front of whatever reads it. Nothing was run.",
                cause);
    }
}
