// SPDX-License-Identifier: Apache-2.0
package io.semel.testservers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** One command to a Redis server in its own protocol, so that no module's tests get a client that they do not want. */
final class RedisConnection {

    private static final int LONGEST_MILLIS = 30_000;

    static String ask(int port, String... words) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(LONGEST_MILLIS);
            socket.getOutputStream().write(command(words));
            return answer(new BufferedInputStream(socket.getInputStream()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] command(String... words) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(("*" + words.length + "\r\n").getBytes(UTF_8));
        for (String word : words) {
            byte[] text = word.getBytes(UTF_8);
            bytes.write(("$" + text.length + "\r\n").getBytes(UTF_8));
            bytes.write(text);
            bytes.write("\r\n".getBytes(UTF_8));
        }
        return bytes.toByteArray();
    }

    private static String answer(InputStream in) throws IOException {
        String line = line(in);
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+', ':' -> rest;
            case '$' -> text(in, Integer.parseInt(rest));
            case '*' -> list(in, Integer.parseInt(rest));
            default -> throw new IOException(rest);
        };
    }

    private static String text(InputStream in, int length) throws IOException {
        if (length < 0) {
            return "";
        }
        String text = new String(in.readNBytes(length), UTF_8);
        line(in);
        return text;
    }

    private static String list(InputStream in, int length) throws IOException {
        List<String> elements = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            elements.add(answer(in));
        }
        return String.join("\n", elements);
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("The server closed the connection.");
            }
            if (next != '\r') {
                bytes.write(next);
            }
        }
        return bytes.toString(UTF_8);
    }

    private RedisConnection() {}
}
