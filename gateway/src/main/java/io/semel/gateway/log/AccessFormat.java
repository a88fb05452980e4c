// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.log;

import io.semel.Key;
import io.semel.observe.KeyHashes;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The format of a line; nothing that a client sends can break it. */
public enum AccessFormat {
    /** Words and {@code name=value}, with a space between two and none within. */
    TEXT {
        @Override
        String write(ObjectNode fields) {
            StringBuilder line = new StringBuilder();
            for (Map.Entry<String, JsonNode> each : fields.properties()) {
                String value = LogText.word(each.getValue().asString());
                boolean plain = PLAIN.contains(each.getKey());
                line.append(line.isEmpty() ? "" : " ")
                        .append(plain ? "" : each.getKey() + "=")
                        .append(value);
            }
            return line.toString();
        }
    },
    /** An object of JSON, in ASCII. */
    JSON {
        @Override
        String write(ObjectNode fields) {
            return MAPPER.writeValueAsString(fields);
        }
    };

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final Set<String> PLAIN = Set.of("at", "request", "method", "path", "status", "outcome");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    abstract String write(ObjectNode fields);

    /** @param clear whether keys are written beside their hashes */
    String line(AccessLine line, boolean clear) {
        ObjectNode fields = JsonMapper.shared().createObjectNode();
        fields.put("at", time(line.at()));
        fields.put("request", line.request());
        fields.put("method", line.method());
        fields.put("path", line.path());
        fields.put("status", line.status());
        fields.put("outcome", line.outcome());
        put(fields, "code", line.code());
        put(fields, "route", line.route());
        fields.put("bytes", line.bytes());
        fields.put("millis", millis(line.time()));
        Duration service = line.service();
        if (service != null) {
            fields.put("serviceMillis", millis(service));
        }
        key(fields, line.key(), clear);
        Long fence = line.fence();
        if (fence != null) {
            fields.put("fence", fence);
        }
        put(fields, "caller", line.caller());
        fields.put("client", line.client());
        put(fields, "trace", line.trace());
        if (line.cut()) {
            fields.put("cut", true);
        }
        return write(fields);
    }

    private static void key(ObjectNode fields, @Nullable Key key, boolean clear) {
        if (key != null) {
            fields.put("keyHash", KeyHashes.hash(key));
            put(fields, "key", clear ? key.id() : null);
        }
    }

    private static void put(ObjectNode fields, String name, @Nullable String value) {
        if (value != null) {
            fields.put(name, value);
        }
    }

    private static String time(Instant at) {
        return TIME.format(at);
    }

    private static double millis(Duration span) {
        return Math.round(span.toNanos() / 1e3) / 1e3;
    }
}
