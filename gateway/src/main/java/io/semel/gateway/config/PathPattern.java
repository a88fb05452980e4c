// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.semel.gateway.config.yaml.ConfigError;
import java.util.regex.Pattern;

/** The paths of a route: {@code *} or {@code {name}} stands for one segment, {@code **} for any number of them. */
public final class PathPattern {

    private static final Pattern WILD = Pattern.compile("/\\*\\*|\\*|\\{[^{}/]*}");

    private final String text;
    private final Pattern pattern;
    private final Pattern anyCase;

    private PathPattern(String text, Pattern pattern) {
        this.text = text;
        this.pattern = pattern;
        this.anyCase = Pattern.compile(pattern.pattern(), Pattern.CASE_INSENSITIVE);
    }

    public static PathPattern of(String text) {
        if (!text.startsWith("/")) {
            throw new ConfigError("The path '" + text + "' does not begin with a slash; write /" + text + ".");
        }
        if (text.replaceAll("/\\*\\*(?=/|$)", "").contains("**")) {
            throw new ConfigError(
                    "In the path '" + text + "', ** stands next to something else; write /**/ or /** at the end.");
        }
        StringBuilder regex = new StringBuilder();
        int end = 0;
        var wild = WILD.matcher(text);
        while (wild.find()) {
            regex.append(Pattern.quote(text.substring(end, wild.start())));
            regex.append(wild.group().equals("/**") ? "(?:/.*)?" : "[^/]+");
            end = wild.end();
        }
        regex.append(Pattern.quote(text.substring(end)));
        return new PathPattern(text, Pattern.compile(regex.toString()));
    }

    /** Takes a path without the query. */
    public boolean matches(String path) {
        return text.equals("/**") || pattern.matcher(path).matches();
    }

    /** The same as a service takes it that does not tell capital letters from small ones. */
    public boolean matchesAnyCase(String path) {
        return text.equals("/**") || anyCase.matcher(path).matches();
    }

    @Override
    public String toString() {
        return text;
    }
}
