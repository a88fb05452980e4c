// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.semel.gateway.fuzz.AnswerReader.Answered;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests over HTTP/2 in the clear, all at once on one connection. */
final class StreamGenerator {

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RESET = 3;
    private static final int SETTINGS = 4;
    private static final int GO_AWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int CONTINUATION = 9;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int WINDOW = 1 << 26;

    private final DataOutputStream out;
    private final DataInputStream in;
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false, 1 << 20);
    private final List<One> all = new ArrayList<>();
    private final ByteArrayOutputStream block = new ByteArrayOutputStream();

    private StreamGenerator(Socket socket) throws IOException {
        out = new DataOutputStream(socket.getOutputStream());
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    /** What each of them got, in their order; null for those that were reset. */
    static List<@Nullable Answered> exchange(List<Asked> asked, Socket socket) throws IOException {
        StreamGenerator streams = new StreamGenerator(socket);
        streams.begin();
        for (Asked each : asked) {
            streams.ask(each);
        }
        try {
            while (streams.all.stream().anyMatch(each -> !each.ended)) {
                streams.frame();
            }
        } catch (EOFException | SocketException e) {
            // Whoever has no whole answer was cut.
        } catch (Http2Exception e) {
            throw new Malformed(String.valueOf(e.getMessage()));
        }
        List<@Nullable Answered> got = new ArrayList<>();
        streams.all.forEach(each -> got.add(each.answer()));
        return got;
    }

    private void begin() throws IOException {
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        send(SETTINGS, 0, 0, new byte[] {0, 4, WINDOW >> 24, 0, 0, 0});
        send(WINDOW_UPDATE, 0, 0, new byte[] {WINDOW >> 24, 0, 0, 0});
    }

    private void ask(Asked asked) throws IOException {
        int stream = 2 * all.size() + 1;
        all.add(new One());
        ByteArrayOutputStream fields = new ByteArrayOutputStream();
        field(fields, ":method", asked.method());
        field(fields, ":scheme", "http");
        field(fields, ":path", "/a");
        field(fields, ":authority", "shop");
        field(fields, "x-id", asked.id());
        if (asked.keyed()) {
            field(fields, "idempotency-key", asked.id());
        }
        send(HEADERS, END_HEADERS, stream, fields.toByteArray());
        send(DATA, END_STREAM, stream, asked.body().getBytes(StandardCharsets.ISO_8859_1));
    }

    /** None of it is compressed. */
    private static void field(ByteArrayOutputStream to, String name, String value) {
        to.write(0);
        to.write(name.length());
        to.writeBytes(name.getBytes(StandardCharsets.ISO_8859_1));
        to.write(value.length());
        to.writeBytes(value.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void send(int type, int flags, int stream, byte[] payload) throws IOException {
        out.write(payload.length >> 16);
        out.writeShort(payload.length);
        out.write(type);
        out.write(flags);
        out.writeInt(stream);
        out.write(payload);
    }

    private void frame() throws IOException, Http2Exception {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        byte[] payload = new byte[length];
        in.readFully(payload);
        if (type == GO_AWAY) {
            throw new EOFException();
        }
        if (stream > 0 && stream / 2 < all.size()) {
            take(type, flags, stream, payload);
        }
    }

    private void take(int type, int flags, int stream, byte[] payload) throws Http2Exception {
        One one = all.get(stream / 2);
        switch (type) {
            case HEADERS, CONTINUATION -> {
                block.writeBytes(payload);
                one.last |= type == HEADERS && (flags & END_STREAM) != 0;
                if ((flags & END_HEADERS) != 0) {
                    one.head(decoder.decodeHeaders(stream, Unpooled.wrappedBuffer(block.toByteArray())));
                    block.reset();
                    one.ended |= one.last;
                    one.whole |= one.last;
                }
            }
            case DATA -> {
                one.body.writeBytes(payload);
                one.ended |= (flags & END_STREAM) != 0;
                one.whole |= (flags & END_STREAM) != 0;
            }
            case RESET -> one.ended = true;
            default -> {
                // Windows and priorities.
            }
        }
    }

    /** One stream. */
    private static final class One {

        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private final Fields fields = new Fields();
        private int status;
        private boolean last;
        private boolean ended;
        private boolean whole;

        private void head(Http2Headers headers) {
            if (headers.status() != null) {
                status = Integer.parseInt(headers.status().toString());
            }
            headers.forEach(
                    each -> fields.add(each.getKey().toString(), each.getValue().toString()));
        }

        private @Nullable Answered answer() {
            String text = new String(body.toByteArray(), StandardCharsets.ISO_8859_1);
            return whole && status > 0 ? new Answered(status, fields, text, false) : null;
        }
    }
}
