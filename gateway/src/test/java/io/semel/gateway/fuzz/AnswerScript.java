// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import io.semel.gateway.fuzz.AnswerReader.Answered;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a service does with one request: bytes that it sends, and between them {body} where it reads the request's body, {pause}, and at
 * the end {close}, {reset} or {silence}; without one of these it goes on with the next request.
 *
 * @param valid whether nothing is wrong with it
 */
record AnswerScript(String text, boolean valid) {

    private static final Pattern MARK = Pattern.compile("\\{(body|pause|close|reset|silence)}");
    private static final Pattern END = Pattern.compile("\\{(close|reset|silence)}");
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([2-9][0-9]{2})");
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

    /** What a strict reader makes of it; null where that is no whole answer. */
    @Nullable
    Answered expected(boolean toHead) {
        Matcher end = END.matcher(text);
        boolean ended = end.find();
        String said =
                MARK.matcher(ended ? text.substring(0, end.start()) : text).replaceAll("");
        boolean closed = ended && end.group().equals("{close}");
        try {
            Answered answer = AnswerReader.ofProxy(new ByteArrayInputStream(said.getBytes(StandardCharsets.ISO_8859_1)))
                    .next(toHead);
            boolean whole = answer != null && answer.status() != 101 && (closed || !answer.ends());
            return whole ? answer : null;
        } catch (IOException e) {
            return null;
        }
    }

    /** Whether a service says more than is kept, so that it is passed on before it is whole. */
    boolean isLong() {
        return text.length() > AnswerJudge.MOST_KEPT;
    }

    /** What its first line that is not of an interim answer says, whatever follows. */
    int status() {
        Matcher status = STATUS.matcher(text);
        return status.find() ? Integer.parseInt(status.group(1)) : 0;
    }

    /** Whether the connection can be used again. */
    boolean play(Socket socket, Body body) throws IOException {
        OutputStream out = socket.getOutputStream();
        Matcher mark = MARK.matcher(text);
        int from = 0;
        boolean read = false;
        while (mark.find()) {
            out.write(text.substring(from, mark.start()).getBytes(StandardCharsets.ISO_8859_1));
            from = mark.end();
            switch (mark.group(1)) {
                case "body" -> {
                    body.read();
                    read = true;
                }
                case "pause" -> LockSupport.parkNanos(PAUSE);
                case "reset" -> {
                    socket.setSoLinger(true, 0);
                    return false;
                }
                case "silence" -> {
                    // Until the gateway has had enough.
                    socket.getInputStream().transferTo(OutputStream.nullOutputStream());
                    return false;
                }
                default -> {
                    return false;
                }
            }
        }
        out.write(text.substring(from).getBytes(StandardCharsets.ISO_8859_1));
        if (!read) {
            body.read();
        }
        return true;
    }

    @Override
    public String toString() {
        return Escaped.shown(text);
    }

    /** The rest of a request. */
    interface Body {

        void read() throws IOException;
    }
}
