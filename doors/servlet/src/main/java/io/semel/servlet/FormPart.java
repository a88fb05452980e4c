// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Part;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A part of a multipart body, as a slice of it. */
final class FormPart implements Part {

    private final Map<String, List<String>> headers;
    private final Map<String, String> disposition;
    private final String name;
    private final Spool body;
    private final long start;
    private final long size;
    private final ServletContext context;

    private FormPart(
            Map<String, List<String>> headers,
            Map<String, String> disposition,
            String name,
            Spool body,
            long start,
            long size,
            ServletContext context) {
        this.headers = headers;
        this.disposition = disposition;
        this.name = name;
        this.body = body;
        this.start = start;
        this.size = size;
        this.context = context;
    }

    static FormPart of(Map<String, List<String>> headers, Spool body, long start, long size, ServletContext context)
            throws ServletException {
        List<String> lines = headers.getOrDefault("Content-Disposition", List.of());
        Map<String, String> disposition = lines.isEmpty() ? Map.of() : HeaderParameters.of(lines.get(0));
        String name = disposition.get("name");
        if (name == null) {
            throw new ServletException("A part of a form has no name.");
        }
        return new FormPart(headers, disposition, name, body, start, size, context);
    }

    @Override
    public InputStream getInputStream() {
        return body.slice(start, size);
    }

    @Override
    public @Nullable String getContentType() {
        return getHeader("Content-Type");
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public @Nullable String getSubmittedFileName() {
        return disposition.get("filename");
    }

    @Override
    public long getSize() {
        return size;
    }

    @Override
    public void write(String fileName) throws IOException {
        File directory = (File) context.getAttribute(ServletContext.TEMPDIR);
        Path path = directory == null ? Path.of(fileName) : directory.toPath().resolve(fileName);
        try (InputStream in = getInputStream()) {
            Files.copy(in, path, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** There is nothing of its own to delete. */
    @Override
    public void delete() {}

    @Override
    public @Nullable String getHeader(String header) {
        List<String> lines = headers.getOrDefault(header, List.of());
        return lines.isEmpty() ? null : lines.get(0);
    }

    @Override
    public Collection<String> getHeaders(String header) {
        return headers.getOrDefault(header, List.of());
    }

    @Override
    public Collection<String> getHeaderNames() {
        return headers.keySet();
    }
}
