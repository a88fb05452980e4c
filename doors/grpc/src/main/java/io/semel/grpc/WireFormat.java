// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Messages and metadata as they are on the wire: bytes, and text in which bytes are Base64. */
final class WireFormat {

    /** A unary method whose messages are left as they are. */
    static MethodDescriptor<byte[], byte[]> unary(String fullName) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(fullName)
                .setRequestMarshaller(new Bytes())
                .setResponseMarshaller(new Bytes())
                .build();
    }

    static Map<String, List<String>> headers(Metadata... parts) {
        Map<String, List<String>> headers = new TreeMap<>();
        for (Metadata metadata : parts) {
            for (String name : metadata.keys()) {
                headers.computeIfAbsent(name, any -> new ArrayList<>()).addAll(values(metadata, name));
            }
        }
        return headers;
    }

    private static List<String> values(Metadata metadata, String name) {
        List<String> values = new ArrayList<>();
        if (isBinary(name)) {
            Iterable<byte[]> found = metadata.getAll(Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER));
            if (found != null) {
                found.forEach(each -> values.add(
                        new String(Base64.getEncoder().withoutPadding().encode(each), ISO_8859_1)));
            }
        } else {
            Iterable<String> found = metadata.getAll(MetadataKeys.name(name));
            if (found != null) {
                found.forEach(values::add);
            }
        }
        return values;
    }

    static Metadata metadata(HttpHeaders headers) {
        Metadata metadata = new Metadata();
        headers.map().forEach((mixed, values) -> {
            String name = mixed.toLowerCase(Locale.ROOT);
            for (String value : values) {
                if (isBinary(name)) {
                    metadata.put(
                            Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER),
                            Base64.getDecoder().decode(value));
                } else {
                    metadata.put(MetadataKeys.name(name), value);
                }
            }
        });
        return metadata;
    }

    private static boolean isBinary(String name) {
        return name.endsWith(Metadata.BINARY_HEADER_SUFFIX);
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            return StoredReply.bytes(stream);
        }
    }

    private WireFormat() {}
}
