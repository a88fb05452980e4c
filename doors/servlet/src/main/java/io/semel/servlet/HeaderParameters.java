// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import java.util.Map;
import java.util.TreeMap;

/** The parameters of a header value, such as {@code form-data; name="file"}. */
final class HeaderParameters {

    private final String text;
    private int at;

    private HeaderParameters(String text) {
        this.text = text;
    }

    /** The first of each name; names are in any case. */
    static Map<String, String> of(String value) {
        return new HeaderParameters(value).read();
    }

    private Map<String, String> read() {
        Map<String, String> parameters = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        until(";");
        while (at < text.length()) {
            at++;
            String name = until("=;").strip();
            if (at < text.length() && text.charAt(at) == '=') {
                at++;
                parameters.putIfAbsent(name, value());
            }
        }
        return parameters;
    }

    private String value() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
        if (at == text.length() || text.charAt(at) != '"') {
            return until(";").strip();
        }
        at++;
        StringBuilder value = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' && at + 1 < text.length() ? 1 : 0;
            value.append(text.charAt(at++));
        }
        until(";");
        return value.toString();
    }

    private String until(String ends) {
        int from = at;
        while (at < text.length() && ends.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return text.substring(from, at);
    }
}
