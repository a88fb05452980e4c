// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.answer;

import io.semel.Codec;
import io.semel.UnreadableAnswer;
import io.semel.http.Answer;
import io.semel.http.Answer.Header;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Answers as bytes, format 1; see {@code docs/formats/http-answer.md}. */
public final class AnswerCodec implements Codec<Answer> {

    public static final AnswerCodec INSTANCE = new AnswerCodec();

    /** Stands for an answer that its sender could not hold in memory: encoding it fails, so that a tombstone is stored. */
    public static final Answer UNKEPT = Answer.of(200, new byte[0]);

    static final byte FORMAT = 1;

    @Override
    public String form() {
        return "http";
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // one object stands for all answers that are not kept
    public byte[] encode(Answer answer) {
        if (answer == UNKEPT) {
            throw new IllegalArgumentException("The answer was too large to be kept.");
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(answer.body().length + 256);
        out.write(FORMAT);
        writeNumber(out, answer.status());
        writeNumber(out, answer.headers().size());
        for (Header header : answer.headers()) {
            writeText(out, header.name());
            writeText(out, header.value());
        }
        out.writeBytes(answer.body());
        return out.toByteArray();
    }

    @Override
    public Answer decode(byte[] bytes, String version) {
        Answer answer = decode(bytes);
        return new Answer(answer.status(), answer.headers(), answer.body(), version);
    }

    @Override
    public Answer decode(byte[] bytes) {
        try {
            return new StoredAnswerReader(bytes).read();
        } catch (IllegalArgumentException e) {
            throw new UnreadableAnswer("A stored HTTP answer is damaged: " + e.getMessage(), e);
        }
    }

    private static void writeText(ByteArrayOutputStream out, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        writeNumber(out, utf8.length);
        out.writeBytes(utf8);
    }

    /** Seven bits a byte, the lowest first; the highest bit says that more follow. */
    private static void writeNumber(ByteArrayOutputStream out, int number) {
        int left = number;
        while (left > 0x7f) {
            out.write((left & 0x7f) | 0x80);
            left >>>= 7;
        }
        out.write(left);
    }
}
