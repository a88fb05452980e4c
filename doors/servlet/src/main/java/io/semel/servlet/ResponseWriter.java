// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import io.semel.http.Answer;
import io.semel.http.Answer.Header;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Puts answers on a servlet response. */
final class ResponseWriter {

    static void send(Answer answer, HttpServletResponse response) throws IOException {
        response.setStatus(answer.status());
        lines(answer.headers(), response);
        announce(answer.status(), answer.body().length, response);
        if (answer.body().length > 0) {
            response.getOutputStream().write(answer.body());
        }
    }

    /** Replaces what filters in front have set under these names. */
    static void lines(List<Header> headers, HttpServletResponse response) {
        if (headers.isEmpty()) {
            return;
        }
        Set<String> seen = new HashSet<>();
        for (Header header : headers) {
            boolean first = seen.add(header.name().toLowerCase(Locale.ROOT));
            if (header.name().equalsIgnoreCase("Content-Type")) {
                response.setContentType(header.value());
            } else if (first) {
                response.setHeader(header.name(), header.value());
            } else {
                response.addHeader(header.name(), header.value());
            }
        }
    }

    static void announce(int status, long length, HttpServletResponse response) {
        boolean never = status == HttpServletResponse.SC_NO_CONTENT || status == HttpServletResponse.SC_NOT_MODIFIED;
        if (!never) {
            response.setContentLengthLong(length);
        }
    }

    private ResponseWriter() {}
}
