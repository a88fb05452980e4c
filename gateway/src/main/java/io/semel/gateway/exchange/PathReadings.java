// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** All paths that services might read a path as, since each normalises in its own way. */
final class PathReadings {

    private static final String UNRESERVED = "-._~";
    private static final Pattern PARAMETERS = Pattern.compile(";[^/]*");
    private static final Pattern SLASHES = Pattern.compile("/{2,}");
    private static final Pattern LEADING_DOTS = Pattern.compile("^(?:/\\.\\.?(?=/|$))+");
    private static final Pattern DOT = Pattern.compile("/\\.(?=/|$)");
    private static final Pattern DOUBLE_DOT = Pattern.compile("/(?!\\.\\.(?:/|$))[^/]*/\\.\\.(?=/|$)");

    /** In the order of a service; decoding comes twice, because some services decode twice. */
    private static final List<UnaryOperator<String>> STEPS = List.of(
            path -> decoded(path, true),
            path -> decoded(path, true),
            path -> path.replace('\\', '/'),
            path -> PARAMETERS.matcher(path).replaceAll(""),
            path -> SLASHES.matcher(path).replaceAll("/"),
            PathReadings::withoutDots,
            path -> path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path);

    /** The path with letters, digits and marks that were encoded for no reason, as RFC 3986 has it: all hops agree on that. */
    static String normalised(String path) {
        return path.indexOf('%') < 0 ? path : decoded(path, false);
    }

    /** Whether every service takes the path for the same. */
    static boolean isPlain(String path) {
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean odd = c == '%' || c == ';' || c == '\\' || c == '.' || (c >= 'A' && c <= 'Z');
            if (odd || (c == '/' && i > 0 && (i == path.length() - 1 || path.charAt(i - 1) == '/'))) {
                return false;
            }
        }
        return true;
    }

    static Set<String> of(String path) {
        Set<String> readings = new LinkedHashSet<>(Set.of(path));
        for (UnaryOperator<String> step : STEPS) {
            List.copyOf(readings).forEach(reading -> readings.add(step.apply(reading)));
        }
        return readings;
    }

    private static String withoutDots(String path) {
        if (!path.contains("/.")) {
            return path;
        }
        String before = DOT.matcher(path).replaceAll("");
        for (String after = null; !before.equals(after); ) {
            after = before;
            before = LEADING_DOTS
                    .matcher(DOUBLE_DOT.matcher(after).replaceFirst(""))
                    .replaceFirst("");
        }
        return before.isEmpty() ? "/" : before;
    }

    /** Decodes characters that are encoded without need or, for lenient services, all. */
    private static String decoded(String path, boolean everything) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        StringBuilder decoded = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            int value = path.charAt(i) == '%' ? value(path, i + 1) : -1;
            if (value >= 0 && (everything || isUnreserved((char) value))) {
                decoded.append((char) value);
                i += 2;
            } else {
                decoded.append(path.charAt(i));
            }
        }
        return decoded.toString();
    }

    private static int value(String path, int at) {
        if (at + 2 > path.length()) {
            return -1;
        }
        int high = Character.digit(path.charAt(at), 16);
        int low = Character.digit(path.charAt(at + 1), 16);
        return high < 0 || low < 0 ? -1 : 16 * high + low;
    }

    private static boolean isUnreserved(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || UNRESERVED.indexOf(c) >= 0;
    }

    private PathReadings() {}
}
