// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Part;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds the parts of a multipart body (RFC 2046, RFC 7578); their contents stay where they are. */
final class Multipart {

    private static final int MOST_PARTS = 1000;
    private static final int MOST_HEADERS = 1 << 14;

    private final Spool body;
    private final ServletContext context;
    private final byte[] delimiter;
    private final int[] overlap;
    private final InputStream in;
    private final List<Part> parts = new ArrayList<>();
    private long position;

    private Multipart(Spool body, String boundary, ServletContext context) {
        this.body = body;
        this.context = context;
        this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
        this.overlap = overlap(delimiter);
        this.in = new BufferedInputStream(body.slice(0, body.size()));
    }

    static List<Part> read(Spool body, String contentType, ServletContext context)
            throws IOException, ServletException {
        String boundary = HeaderParameters.of(contentType).get("boundary");
        if (boundary == null || boundary.isEmpty()) {
            throw new ServletException("The content type of a multipart body names no boundary.");
        }
        return new Multipart(body, boundary, context).read();
    }

    private List<Part> read() throws IOException, ServletException {
        // The first delimiter may stand at the very beginning, without its line break.
        long end = next(2);
        while (end >= 0 && !isClosing()) {
            Map<String, List<String>> headers = headers();
            long start = position;
            end = next(0);
            if (end < 0) {
                throw new ServletException("A multipart body breaks off within a part.");
            }
            add(headers, start, Math.max(start, end));
        }
        if (end < 0) {
            throw new ServletException("A multipart body has no delimiter.");
        }
        return parts;
    }

    private void add(Map<String, List<String>> headers, long start, long end) throws ServletException {
        if (parts.size() == MOST_PARTS) {
            throw new ServletException("A multipart body has more than " + MOST_PARTS + " parts.");
        }
        parts.add(FormPart.of(headers, body, start, end - start, context));
    }

    /** Reads past the next delimiter and says where it begins; -1 if there is none. */
    private long next(int matchedBefore) throws IOException {
        int matched = matchedBefore;
        for (int next = get(); next >= 0; next = get()) {
            while (matched > 0 && delimiter[matched] != (byte) next) {
                matched = overlap[matched - 1];
            }
            matched += delimiter[matched] == (byte) next ? 1 : 0;
            if (matched == delimiter.length) {
                return Math.max(0, position - delimiter.length);
            }
        }
        return -1;
    }

    /** Reads the rest of the delimiter's line. */
    private boolean isClosing() throws IOException, ServletException {
        String rest = line();
        if (rest == null) {
            throw new ServletException("A multipart body breaks off in a delimiter.");
        }
        if (!rest.isBlank() && !rest.startsWith("--")) {
            throw new ServletException("In a multipart body something follows a delimiter in its line.");
        }
        return rest.startsWith("--");
    }

    private Map<String, List<String>> headers() throws IOException, ServletException {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        long start = position;
        for (String line = line(); line != null && !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon <= 0 || position - start > MOST_HEADERS) {
                throw new ServletException("The headers of a part are malformed or too long.");
            }
            headers.computeIfAbsent(line.substring(0, colon).strip(), unseen -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        }
        return headers;
    }

    private @Nullable String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next = get();
        boolean any = next >= 0;
        while (next >= 0 && next != '\n' && line.size() < MOST_HEADERS) {
            line.write(next);
            next = get();
        }
        String text = line.toString(StandardCharsets.UTF_8);
        return any ? (text.endsWith("\r") ? text.substring(0, text.length() - 1) : text) : null;
    }

    private int get() throws IOException {
        int next = in.read();
        position += next < 0 ? 0 : 1;
        return next;
    }

    /** The length of the delimiter's start that still matches after a mismatch, by Knuth, Morris and Pratt. */
    private static int[] overlap(byte[] pattern) {
        int[] table = new int[pattern.length];
        int matched = 0;
        for (int i = 1; i < pattern.length; i++) {
            while (matched > 0 && pattern[matched] != pattern[i]) {
                matched = table[matched - 1];
            }
            matched += pattern[matched] == pattern[i] ? 1 : 0;
            table[i] = matched;
        }
        return table;
    }
}
