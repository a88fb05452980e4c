// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.body;

import io.semel.http.internal.text.Ascii;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The Content-Type of a request, with the differences of spelling that mean nothing taken out. */
public record MediaType(String name, Map<String, String> parameters) {

    /** Nearly all requests of a service say the same. */
    private static volatile Read last = new Read("", null);

    /** Of all field lines; null where they are not one media type, so that the text itself has to be compared. */
    public static @Nullable MediaType of(List<String> lines) {
        if (lines.size() != 1) {
            return null;
        }
        String text = lines.get(0);
        Read known = last;
        if (!known.text.equals(text)) {
            known = new Read(text, new Reader(text).read());
            last = known;
        }
        return known.type;
    }

    boolean isJson() {
        return name.equals("application/json") || name.endsWith("+json");
    }

    boolean isMultipart() {
        return name.startsWith("multipart/");
    }

    @Nullable
    String parameter(String parameter) {
        return parameters.get(parameter);
    }

    /** One spelling of this type, without the named parameter. */
    public String without(String parameter) {
        StringBuilder text = new StringBuilder(name);
        parameters.forEach((key, value) -> {
            if (!key.equals(parameter)) {
                // Lengths instead of quotes, so that no value can be taken for another parameter.
                text.append(';').append(key).append('=').append(value.length()).append(':');
                text.append(key.equals("charset") ? Ascii.lower(value) : value);
            }
        });
        return text.toString();
    }

    private record Read(String text, @Nullable MediaType type) {}

    private static final class Reader {

        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        @Nullable
        MediaType read() {
            skipBlanks();
            String type = Ascii.lower(token());
            if (type.isEmpty() || !take('/')) {
                return null;
            }
            String subtype = Ascii.lower(token());
            Map<String, String> parameters = new LinkedHashMap<>();
            return !subtype.isEmpty() && readParameters(parameters)
                    ? new MediaType(type + "/" + subtype, Collections.unmodifiableMap(parameters))
                    : null;
        }

        private boolean readParameters(Map<String, String> parameters) {
            skipBlanks();
            while (take(';')) {
                skipBlanks();
                if (at == text.length() || text.charAt(at) == ';') {
                    continue;
                }
                String key = Ascii.lower(token());
                String value = key.isEmpty() || !take('=') ? null : value();
                if (value == null || parameters.put(key, value) != null) {
                    return false;
                }
                skipBlanks();
            }
            return at == text.length();
        }

        private @Nullable String value() {
            if (take('"')) {
                return quoted();
            }
            String value = token();
            return value.isEmpty() ? null : value;
        }

        private @Nullable String quoted() {
            StringBuilder value = new StringBuilder();
            while (at < text.length()) {
                char c = text.charAt(at++);
                if (c == '"') {
                    return value.toString();
                }
                if (c == '\\' && at < text.length()) {
                    c = text.charAt(at++);
                }
                value.append(c);
            }
            return null;
        }

        private String token() {
            int from = at;
            while (at < text.length() && Ascii.isToken(text.charAt(at))) {
                at++;
            }
            return text.substring(from, at);
        }

        private boolean take(char c) {
            if (at < text.length() && text.charAt(at) == c) {
                at++;
                return true;
            }
            return false;
        }

        private void skipBlanks() {
            while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
                at++;
            }
        }
    }
}
