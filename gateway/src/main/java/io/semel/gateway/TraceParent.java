// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the W3C trace context that a request came with; the header itself goes on to the service as it is. */
final class TraceParent {

    private static final String NAME = "traceparent";
    private static final Pattern FORM =
            Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-.{2,64}");

    static @Nullable String traceId(HttpHeaders headers) {
        List<String> lines = headers.getAll(NAME);
        if (lines.size() != 1) {
            return null;
        }
        Matcher matcher = FORM.matcher(lines.get(0));
        return matcher.matches() ? matcher.group(1) : null;
    }

    private TraceParent() {}
}
