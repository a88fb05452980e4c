// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Codec;
import io.semel.http.internal.answer.AnswerCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An HTTP response: status, header lines in their order, and body. */
public final class Answer {

    private static final int LOWEST_STATUS = 200;
    private static final int HIGHEST_STATUS = 999;

    private final int status;
    private final List<Header> headers;
    private final byte[] body;
    private final String version;

    /** @param body not to be changed afterwards */
    public Answer(int status, List<Header> headers, byte[] body) {
        this(status, headers, body, "");
    }

    /** As {@link #Answer(int, List, byte[])}, of a stored answer with the {@link #version} that wrote it. */
    public Answer(int status, List<Header> headers, byte[] body, String version) {
        if (status < LOWEST_STATUS || status > HIGHEST_STATUS) {
            throw new IllegalArgumentException("A final response has a status from 200 to 999, not " + status + ".");
        }
        this.status = status;
        this.headers = List.copyOf(headers);
        this.body = body;
        this.version = version;
    }

    public int status() {
        return status;
    }

    public List<Header> headers() {
        return headers;
    }

    /** Not to be changed by whoever gets it. */
    public byte[] body() {
        return body;
    }

    /**
     * Of a stored answer, the {@link io.semel.Operation#version} of the application that wrote it; empty where that was not set,
     * and for answers that were not stored. No part of equality.
     */
    public String version() {
        return version;
    }

    public static Answer of(int status, byte[] body) {
        return new Answer(status, List.of(), body);
    }

    /** This answer with one more header line. */
    public Answer with(String name, String value) {
        List<Header> more = new ArrayList<>(headers);
        more.add(new Header(name, value));
        return new Answer(status, more, body, version);
    }

    /** The first line of that name, in any case. */
    public Optional<String> header(String name) {
        return headers.stream()
                .filter(header -> header.name().equalsIgnoreCase(name))
                .map(Header::value)
                .findFirst();
    }

    /** The stored form of answers; the bytes are described in {@code docs/formats/http-answer.md}. */
    public static Codec<Answer> codec() {
        return AnswerCodec.INSTANCE;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Answer that
                && status == that.status
                && headers.equals(that.headers)
                && Arrays.equals(body, that.body);
    }

    @Override
    public int hashCode() {
        return Objects.hash(status, headers, Arrays.hashCode(body));
    }

    /** Without the body and the values of headers, which do not belong into messages. */
    @Override
    public String toString() {
        return "Answer[" + status + ", " + headers.size() + " header lines, " + body.length + " bytes]";
    }

    /** One header line. */
    public record Header(String name, String value) {}
}
