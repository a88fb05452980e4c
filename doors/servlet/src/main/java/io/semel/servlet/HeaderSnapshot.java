// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import io.semel.http.Answer.Header;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The header lines that a handler has set, and what filters in front had set under the same names. */
final class HeaderSnapshot {

    private static final String CONTENT_TYPE = "Content-Type";

    private final HttpServletResponse response;
    private final Map<String, List<String>> before = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final @Nullable String typeBefore;

    HeaderSnapshot(HttpServletResponse response) {
        this.response = response;
        this.typeBefore = response.getContentType();
    }

    /** The handler is about to set lines of that name. */
    void touch(String name) {
        if (!before.containsKey(name)) {
            before.put(name, List.copyOf(response.getHeaders(name)));
        }
    }

    /** The handler has taken back everything. */
    void clear() {
        before.clear();
    }

    /** The handler's header lines. The content type is asked for by itself, because some containers keep it apart. */
    List<Header> set() {
        List<Header> lines = new ArrayList<>();
        String type = response.getContentType();
        if (type != null) {
            lines.add(new Header(CONTENT_TYPE, type));
        }
        for (String name : before.keySet()) {
            for (String value : response.getHeaders(name)) {
                lines.add(new Header(name, value));
            }
        }
        return lines;
    }

    /** Leaves nothing of the handler's. */
    void restore() {
        response.resetBuffer();
        response.setContentType(typeBefore);
        before.forEach((name, values) -> {
            response.setHeader(name, null);
            values.forEach(value -> response.addHeader(name, value));
        });
    }
}
