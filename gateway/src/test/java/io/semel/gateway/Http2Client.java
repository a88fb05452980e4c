// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** One HTTP/2 connection in the clear that sends frames as they are told, however wrong. */
final class Http2Client implements Closeable {

    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int GO_AWAY = 7;
    static final int CONTINUATION = 9;
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;

    private final Socket socket;
    final DataInputStream in;

    Http2Client(int port) throws IOException {
        socket = RawHttp.connect(port);
        socket.setSoTimeout(20_000);
        in = new DataInputStream(socket.getInputStream());
        socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        send(SETTINGS, 0, 0, new byte[0]);
    }

    void send(int type, int flags, int stream, byte[] payload) throws IOException {
        byte[] frame = new byte[9 + payload.length];
        frame[0] = (byte) (payload.length >> 16);
        frame[1] = (byte) (payload.length >> 8);
        frame[2] = (byte) payload.length;
        frame[3] = (byte) type;
        frame[4] = (byte) flags;
        frame[5] = (byte) (stream >> 24);
        frame[6] = (byte) (stream >> 16);
        frame[7] = (byte) (stream >> 8);
        frame[8] = (byte) stream;
        System.arraycopy(payload, 0, frame, 9, payload.length);
        socket.getOutputStream().write(frame);
    }

    void write(byte[] frames) throws IOException {
        socket.getOutputStream().write(frames);
    }

    void pings(int count) throws IOException {
        byte[] all = new byte[17 * count];
        for (int i = 0; i < count; i++) {
            all[17 * i + 2] = 8;
            all[17 * i + 3] = 6;
        }
        socket.getOutputStream().write(all);
    }

    /** Names and values, none of them compressed. */
    static byte[] block(String... fields) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (int i = 0; i < fields.length; i += 2) {
            block.write(0);
            text(block, fields[i]);
            text(block, fields[i + 1]);
        }
        return block.toByteArray();
    }

    private static void text(ByteArrayOutputStream block, String text) {
        block.write(text.length());
        block.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** What is in the next frame of that type. */
    byte[] frame(int wanted) throws IOException {
        while (true) {
            Frame frame = next();
            if (frame.type == wanted) {
                return frame.payload;
            }
        }
    }

    /** The status of the first answer; or that there is none, because the stream or the connection was ended instead. */
    String verdict() throws IOException, Http2Exception {
        try {
            while (true) {
                Frame frame = next();
                if (frame.type == RST_STREAM || frame.type == GO_AWAY) {
                    return "refused";
                }
                if (frame.type == HEADERS) {
                    return new DefaultHttp2HeadersDecoder()
                            .decodeHeaders(1, Unpooled.wrappedBuffer(frame.payload))
                            .status()
                            .toString();
                }
            }
        } catch (EOFException | SocketException e) {
            return "refused";
        }
    }

    private Frame next() throws IOException {
        int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
        int type = in.readUnsignedByte();
        in.readFully(new byte[5]);
        byte[] payload = new byte[length];
        in.readFully(payload);
        return new Frame(type, payload);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private record Frame(int type, byte[] payload) {}
}
