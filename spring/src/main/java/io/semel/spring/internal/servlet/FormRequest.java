// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.servlet;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.io.PushbackInputStream;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * A form request whose body is still readable after a filter before it has read a parameter, as Spring Security does for its
 * CSRF token: the body is written again from the parameters. Otherwise two forms with one key would look the same.
 */
final class FormRequest extends HttpServletRequestWrapper {

    private static final String URLENCODED = "application/x-www-form-urlencoded";
    private static final String MULTIPART = "multipart/form-data";

    private boolean rewritten;

    private FormRequest(HttpServletRequest request) {
        super(request);
    }

    /** Other requests are given back as they are. */
    static HttpServletRequest of(HttpServletRequest request) {
        return is(request, URLENCODED) || is(request, MULTIPART) ? new FormRequest(request) : request;
    }

    private static boolean is(HttpServletRequest request, String type) {
        String said = request.getContentType();
        return said != null && said.strip().toLowerCase(Locale.ROOT).startsWith(type);
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        PushbackInputStream body = new PushbackInputStream(super.getInputStream());
        int first = body.read();
        if (first >= 0) {
            body.unread(first);
            return new BlockingInput(body);
        }
        return new BlockingInput(new java.io.ByteArrayInputStream(rewritten()));
    }

    private byte[] rewritten() {
        if (is(this, MULTIPART) && getContentLengthLong() != 0) {
            throw new IllegalStateException(
                    "A filter before Semel's has read the parts of a request with an idempotency key, so they cannot"
                            + " be compared. Move it behind Semel's filter. The request was not executed.");
        }
        Charset charset = charset();
        StringBuilder body = new StringBuilder();
        super.getParameterMap().forEach((name, values) -> {
            for (int i = inQuery(name); i < values.length; i++) {
                body.append(body.isEmpty() ? "" : "&")
                        .append(URLEncoder.encode(name, charset))
                        .append('=')
                        .append(URLEncoder.encode(values[i], charset));
            }
        });
        rewritten = true;
        return body.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** For a POST those of the body are read from the body again, so that they must not be here too. */
    @Override
    public Map<String, String[]> getParameterMap() {
        if (!rewritten || !"POST".equals(getMethod())) {
            return super.getParameterMap();
        }
        Map<String, String[]> query = new LinkedHashMap<>();
        super.getParameterMap().forEach((name, values) -> {
            int count = inQuery(name);
            if (count > 0) {
                query.put(name, Arrays.copyOf(values, count));
            }
        });
        return query;
    }

    /** How many of a parameter's values are the query's; those come first. */
    private int inQuery(String name) {
        String query = getQueryString();
        if (!StringUtils.hasLength(query)) {
            return 0;
        }
        var values = UriComponentsBuilder.newInstance().query(query).build().getQueryParams();
        return values.entrySet().stream()
                .filter(entry -> java.net.URLDecoder.decode(entry.getKey(), StandardCharsets.UTF_8)
                        .equals(name))
                .mapToInt(entry -> entry.getValue().size())
                .sum();
    }

    private Charset charset() {
        @Nullable String said = getCharacterEncoding();
        return said == null ? StandardCharsets.UTF_8 : Charset.forName(said);
    }
}
