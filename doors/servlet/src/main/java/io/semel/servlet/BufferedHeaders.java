// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The headers of a response that is held back: how the message is framed is decided when it is sent. */
abstract class BufferedHeaders extends HttpServletResponseWrapper {

    private static final String CONTENT_TYPE = "Content-Type";
    private static final Set<String> FRAMING = framing();

    private final HeaderSnapshot lines;
    private @Nullable Charset fixed;
    private boolean passing;

    BufferedHeaders(HttpServletResponse response) {
        super(response);
        this.lines = new HeaderSnapshot(response);
    }

    HeaderSnapshot lines() {
        return lines;
    }

    /** From now on everything goes through. */
    void pass() {
        passing = true;
    }

    boolean isPassing() {
        return passing;
    }

    boolean isEventStream() {
        String type = getContentType();
        return type != null && type.toLowerCase(Locale.ROOT).startsWith("text/event-stream");
    }

    /** There is a writer: the charset cannot change any more, and the content type has to say it. */
    void fixCharset(Charset charset) {
        fixed = charset;
        String type = getContentType();
        boolean json = type != null && type.toLowerCase(Locale.ROOT).contains("json");
        if (!json || !charset.equals(StandardCharsets.UTF_8)) {
            super.setCharacterEncoding(charset.name());
        }
    }

    void freeCharset() {
        fixed = null;
    }

    @Override
    public void setContentType(@Nullable String type) {
        super.setContentType(type);
        keepCharset();
    }

    @Override
    public void setLocale(@Nullable Locale locale) {
        lines.touch("Content-Language");
        super.setLocale(locale);
        keepCharset();
    }

    private void keepCharset() {
        if (fixed != null) {
            fixCharset(fixed);
        }
    }

    @Override
    public void setCharacterEncoding(@Nullable String name) {
        if (fixed == null) {
            super.setCharacterEncoding(name);
        }
    }

    @Override
    public void setCharacterEncoding(@Nullable Charset charset) {
        if (fixed == null) {
            super.setCharacterEncoding(charset);
        }
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        if (name.equalsIgnoreCase(CONTENT_TYPE)) {
            setContentType(value);
        } else if (mayBeSet(name)) {
            super.setHeader(name, value);
        }
    }

    @Override
    public void addHeader(String name, @Nullable String value) {
        if (name.equalsIgnoreCase(CONTENT_TYPE)) {
            setContentType(value);
        } else if (mayBeSet(name)) {
            super.addHeader(name, value);
        }
    }

    @Override
    public void setIntHeader(String name, int value) {
        if (mayBeSet(name)) {
            super.setIntHeader(name, value);
        }
    }

    @Override
    public void addIntHeader(String name, int value) {
        if (mayBeSet(name)) {
            super.addIntHeader(name, value);
        }
    }

    @Override
    public void setDateHeader(String name, long date) {
        lines.touch(name);
        super.setDateHeader(name, date);
    }

    @Override
    public void addDateHeader(String name, long date) {
        lines.touch(name);
        super.addDateHeader(name, date);
    }

    @Override
    public void addCookie(Cookie cookie) {
        lines.touch("Set-Cookie");
        super.addCookie(cookie);
    }

    @Override
    public void setContentLength(int length) {
        if (passing) {
            super.setContentLength(length);
        }
    }

    @Override
    public void setContentLengthLong(long length) {
        if (passing) {
            super.setContentLengthLong(length);
        }
    }

    @Override
    public void setTrailerFields(Supplier<Map<String, String>> supplier) {
        throw new IllegalStateException("Trailers cannot be recorded, so an answer to a request with an idempotency key"
                + " has none. Send them as headers.");
    }

    private boolean mayBeSet(String name) {
        boolean may = passing || !FRAMING.contains(name);
        if (may) {
            lines.touch(name);
        }
        return may;
    }

    private static Set<String> framing() {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(Set.of("Content-Length", "Transfer-Encoding", "Trailer"));
        return names;
    }
}
