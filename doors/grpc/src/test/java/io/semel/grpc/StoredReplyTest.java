// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes that are kept of an answer, which stay readable for ever. */
class StoredReplyTest {

    private static final String PAID = "0100000000" + "0000" + "01" + "70616964";
    private static final String NOT_FOUND = "0100000005" + "0004" + "c3b66465" + "00";

    @Test
    void aReplyIsWrittenInFormatOne() {
        assertThat(hex(new StoredReply(0, "", "paid".getBytes(UTF_8)))).isEqualTo(PAID);
        assertThat(hex(new StoredReply(5, "\u00f6de", null))).isEqualTo(NOT_FOUND);
    }

    @Test
    void formatOneIsRead() {
        StoredReply paid = read(PAID);
        StoredReply notFound = read(NOT_FOUND);

        assertThat(paid.code()).isZero();
        assertThat(paid.message()).asString(UTF_8).isEqualTo("paid");
        assertThat(notFound.code()).isEqualTo(5);
        assertThat(notFound.description()).isEqualTo("\u00f6de");
        assertThat(notFound.message()).isNull();
    }

    @Test
    void anEmptyMessageIsAMessage() {
        assertThat(StoredReply.CODEC
                        .decode(StoredReply.CODEC.encode(new StoredReply(0, "", new byte[0])))
                        .message())
                .isEmpty();
    }

    @Test
    void whatIsNotAReplyIsRefused() {
        assertThatThrownBy(() -> read("02" + PAID.substring(2))).hasMessageContaining("format 2");
        byte[] whole = HexFormat.of().parseHex(NOT_FOUND);
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> StoredReply.CODEC.decode(part)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static String hex(StoredReply reply) {
        return HexFormat.of().formatHex(StoredReply.CODEC.encode(reply));
    }

    private static StoredReply read(String hex) {
        return StoredReply.CODEC.decode(HexFormat.of().parseHex(hex));
    }
}
