// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters and parts of a request whose body the container can no longer read. */
final class FormParameters {

    private static final int MOST_PARAMETERS = 10_000;

    private final HttpServletRequest request;
    private final Spool body;
    private final String type;
    private @Nullable Map<String, String[]> parameters;
    private @Nullable List<Part> parts;

    FormParameters(HttpServletRequest request, Spool body) {
        this.request = request;
        this.body = body;
        String said = request.getContentType();
        this.type = said == null ? "" : said.strip().toLowerCase(Locale.ROOT);
    }

    /** Those of the query, as the container reads them, and then those of the body. */
    Map<String, String[]> parameters() {
        if (parameters == null) {
            Map<String, List<String>> found = new LinkedHashMap<>();
            try {
                addQuery(found);
                addBody(found);
            } catch (IOException | ServletException | IllegalArgumentException e) {
                throw new IllegalStateException("The parameters in the body cannot be read: " + e.getMessage(), e);
            }
            Map<String, String[]> all = new LinkedHashMap<>();
            found.forEach((name, values) -> all.put(name, values.toArray(String[]::new)));
            parameters = all;
        }
        return parameters;
    }

    Collection<Part> parts() throws IOException, ServletException {
        if (!isMultipart()) {
            throw new ServletException("The body is not multipart/form-data.");
        }
        if (parts == null) {
            parts = Multipart.read(body, String.valueOf(request.getContentType()), request.getServletContext());
        }
        return Collections.unmodifiableList(parts);
    }

    /** Some containers would try to read a multipart body again if they were asked. */
    private void addQuery(Map<String, List<String>> found) {
        if (!isMultipart()) {
            request.getParameterMap().forEach((name, values) -> found.put(name, new ArrayList<>(List.of(values))));
        } else if (request.getQueryString() != null) {
            addPairs(found, request.getQueryString(), StandardCharsets.UTF_8);
        }
    }

    private void addBody(Map<String, List<String>> found) throws IOException, ServletException {
        if (!request.getMethod().equals("POST")) {
            return;
        }
        if (type.startsWith("application/x-www-form-urlencoded")) {
            addPairs(found, new String(body.bytes(), StandardCharsets.ISO_8859_1), charset());
        } else if (isMultipart()) {
            for (Part part : parts()) {
                if (part.getSubmittedFileName() == null) {
                    add(found, part.getName(), new String(part.getInputStream().readAllBytes(), charset()));
                }
            }
        }
    }

    private boolean isMultipart() {
        return type.startsWith("multipart/form-data");
    }

    private static void addPairs(Map<String, List<String>> found, String text, Charset charset) {
        for (int from = 0; from < text.length(); ) {
            int amp = text.indexOf('&', from);
            int end = amp < 0 ? text.length() : amp;
            if (end > from) {
                addPair(found, text.substring(from, end), charset);
            }
            from = end + 1;
        }
    }

    private static void addPair(Map<String, List<String>> found, String pair, Charset charset) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        add(found, decoded(name, charset), equals < 0 ? "" : decoded(pair.substring(equals + 1), charset));
    }

    /** Bytes that should have been escaped and were not are read in the form's charset too. */
    private static String decoded(String text, Charset charset) {
        String plain = new String(text.getBytes(StandardCharsets.ISO_8859_1), charset);
        return URLDecoder.decode(plain, charset);
    }

    private Charset charset() {
        String said = request.getCharacterEncoding();
        return said == null ? StandardCharsets.UTF_8 : Charset.forName(said);
    }

    private static void add(Map<String, List<String>> found, String name, String value) {
        if (found.size() >= MOST_PARAMETERS) {
            throw new IllegalArgumentException("there are more than " + MOST_PARAMETERS + " of them.");
        }
        found.computeIfAbsent(name, unseen -> new ArrayList<>()).add(value);
    }
}
