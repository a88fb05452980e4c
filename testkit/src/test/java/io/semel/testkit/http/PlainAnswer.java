// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.semel.Codec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** An answer as a plain door keeps it. */
record PlainAnswer(int status, List<ScriptedService.Header> headers, byte[] body) {

    private static final Set<String> KEPT = Set.of(
            "allow",
            "cache-control",
            "content-disposition",
            "content-encoding",
            "content-language",
            "content-location",
            "content-type",
            "deprecation",
            "etag",
            "last-modified",
            "link",
            "location",
            "sunset");

    static final Codec<PlainAnswer> CODEC = new Codec<>() {
        @Override
        public byte[] encode(PlainAnswer answer) {
            return answer.bytes();
        }

        @Override
        public PlainAnswer decode(byte[] bytes) {
            return of(bytes);
        }
    };

    static PlainAnswer problem(int status, String type, String... header) {
        List<ScriptedService.Header> headers = new ArrayList<>();
        headers.add(new ScriptedService.Header("Content-Type", "application/problem+json"));
        if (header.length > 0) {
            headers.add(new ScriptedService.Header(header[0], header[1]));
        }
        String text = "{\"type\":\"urn:semel:problem:" + type + "\",\"title\":\"" + type + "\",\"status\":" + status
                + ",\"detail\":\"Not run.\"}";
        return new PlainAnswer(status, headers, text.getBytes(UTF_8));
    }

    /** What is kept of an answer. */
    PlainAnswer kept(HttpSetting setting, @Nullable Fault fault) {
        List<String> hops = headers.stream()
                .filter(each -> each.name().equalsIgnoreCase("Connection"))
                .map(each -> each.value().toLowerCase(Locale.ROOT))
                .toList();
        List<ScriptedService.Header> kept = headers.stream()
                .filter(each -> isKept(each.name().toLowerCase(Locale.ROOT), hops, setting, fault))
                .toList();
        int code = fault == Fault.REPLAYS_AS_200 ? 200 : status;
        return new PlainAnswer(code, fault == Fault.JOINS_COOKIES ? joined(kept) : kept, body);
    }

    private static boolean isKept(String name, List<String> hops, HttpSetting setting, @Nullable Fault fault) {
        if (fault == Fault.REPLAYS_CONNECTION_HEADERS) {
            return true;
        }
        if (name.equals("set-cookie") && fault == Fault.REPLAYS_COOKIES) {
            return true;
        }
        if (name.equals("location") && fault == Fault.FORGETS_LOCATIONS) {
            return false;
        }
        boolean listed = setting == HttpSetting.MORE_HEADERS
                && Set.of("set-cookie", "x-foo").contains(name);
        return (listed || KEPT.contains(name)) && !hops.contains(name);
    }

    private static List<ScriptedService.Header> joined(List<ScriptedService.Header> headers) {
        List<ScriptedService.Header> others = new ArrayList<>(headers);
        others.removeIf(each -> each.name().equals("Set-Cookie"));
        List<String> cookies = headers.stream()
                .filter(each -> each.name().equals("Set-Cookie"))
                .map(ScriptedService.Header::value)
                .toList();
        if (!cookies.isEmpty()) {
            others.add(new ScriptedService.Header("Set-Cookie", String.join(", ", cookies)));
        }
        return others;
    }

    PlainAnswer unpacked() {
        List<ScriptedService.Header> others = new ArrayList<>(headers);
        if (!others.removeIf(each -> each.name().equalsIgnoreCase("Content-Encoding"))) {
            return this;
        }
        try {
            byte[] plain = new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes();
            return new PlainAnswer(status, others, plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(status);
            out.writeInt(headers.size());
            for (ScriptedService.Header header : headers) {
                out.writeUTF(header.name());
                out.writeUTF(header.value());
            }
            out.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static PlainAnswer of(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int status = in.readInt();
            int count = in.readInt();
            List<ScriptedService.Header> headers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                headers.add(new ScriptedService.Header(in.readUTF(), in.readUTF()));
            }
            return new PlainAnswer(status, headers, in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
