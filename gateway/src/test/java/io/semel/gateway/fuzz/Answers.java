// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What a proxy answered to a stream of requests. */
final class Answers {

    private static final Pattern ECHO = Pattern.compile("(?i)\r\nx-echo: ?([^\r\n]*)\r\n");
    private static final int PATIENCE_MILLIS = 20_000;

    private final byte[] bytes;
    private final boolean ended;
    private final boolean reset;

    private Answers(byte[] bytes, boolean ended, boolean reset) {
        this.bytes = bytes;
        this.ended = ended;
        this.reset = reset;
    }

    /** Sends everything and reads until the proxy closes. */
    static Answers to(RequestStream stream, int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            ByteArrayOutputStream read = new ByteArrayOutputStream();
            try {
                send(stream, socket.getOutputStream());
                socket.getInputStream().transferTo(read);
            } catch (SocketTimeoutException e) {
                return new Answers(read.toByteArray(), false, false);
            } catch (SocketException e) {
                // By a proxy that had read enough: what came before it counts.
                return new Answers(read.toByteArray(), true, true);
            }
            return new Answers(read.toByteArray(), true, false);
        }
    }

    private static void send(RequestStream stream, OutputStream out) throws IOException {
        int sent = 0;
        for (int cut : stream.cuts()) {
            out.write(stream.bytes(), sent, cut - sent);
            sent = cut;
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(500));
        }
        out.write(stream.bytes(), sent, stream.bytes().length - sent);
    }

    /** All of them, read strictly. */
    List<AnswerReader.Answered> read() throws IOException {
        AnswerReader reader = new AnswerReader(new ByteArrayInputStream(bytes));
        List<AnswerReader.Answered> all = new ArrayList<>();
        try {
            for (AnswerReader.Answered next = reader.next(null); next != null; next = reader.next(null)) {
                all.add(next);
            }
        } catch (EOFException e) {
            if (!reset) {
                throw e;
            }
        }
        return all;
    }

    /** The ids of the requests that were answered by the service, in the order of their answers. */
    List<String> echoes() {
        return ECHO.matcher(toString())
                .results()
                .map((MatchResult each) -> each.group(1))
                .toList();
    }

    boolean isEnded() {
        return ended;
    }

    boolean isReset() {
        return reset;
    }

    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
