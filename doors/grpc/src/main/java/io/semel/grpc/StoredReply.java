// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.semel.Codec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The answer to a unary call as it is kept: its status, and its message if there was one; no metadata. */
record StoredReply(int code, String description, byte @Nullable [] message) {

    static final Codec<StoredReply> CODEC = new ReplyCodec();

    static <R> StoredReply of(MethodDescriptor<?, R> method, Status status, @Nullable R message) {
        String said = status.getDescription();
        return new StoredReply(
                status.getCode().value(),
                said == null ? "" : said,
                message == null ? null : bytes(method.streamResponse(message)));
    }

    static byte[] bytes(InputStream stream) {
        try (stream) {
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("A message could not be written: " + e.getMessage(), e);
        }
    }

    <R> Optional<R> message(MethodDescriptor<?, R> method) {
        return message == null
                ? Optional.empty()
                : Optional.of(method.parseResponse(new ByteArrayInputStream(message)));
    }

    <Q, R> void replay(ServerCall<Q, R> call, Optional<R> kept) {
        Metadata replayed = new Metadata();
        replayed.put(MetadataKeys.REPLAYED, "true");
        Status status = Status.fromCodeValue(code);
        if (kept.isEmpty()) {
            call.close(status.withDescription(description), replayed);
            return;
        }
        call.sendHeaders(replayed);
        call.sendMessage(kept.get());
        call.close(status.withDescription(description), new Metadata());
    }

    /** Format 1: code, description, and what is left is the message, if the byte before says that there is one. */
    private static final class ReplyCodec implements Codec<StoredReply> {

        private static final int FORMAT = 1;

        @Override
        public String form() {
            return "grpc";
        }

        @Override
        public byte[] encode(StoredReply reply) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (DataOutputStream out = new DataOutputStream(bytes)) {
                out.writeByte(FORMAT);
                out.writeInt(reply.code());
                out.writeUTF(shortened(reply.description()));
                byte[] message = reply.message();
                out.writeBoolean(message != null);
                if (message != null) {
                    out.write(message);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("Memory can be written to", e);
            }
            return bytes.toByteArray();
        }

        /** Descriptions travel in headers, which are much smaller than this. */
        private static String shortened(String description) {
            int most = 10_000;
            return description.length() <= most ? description : description.substring(0, most);
        }

        @Override
        public StoredReply decode(byte[] bytes) {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            try {
                int format = in.readByte();
                if (format != FORMAT) {
                    throw new IllegalArgumentException("A kept reply has format " + format + ", not " + FORMAT + ".");
                }
                return new StoredReply(in.readInt(), in.readUTF(), in.readBoolean() ? in.readAllBytes() : null);
            } catch (IOException e) {
                throw new IllegalArgumentException("A kept reply breaks off.", e);
            }
        }
    }
}
