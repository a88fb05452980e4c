// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All paths that services might read a path as, since each normalises in its own way. */
final class PathReadings {

    private static final String UNRESERVED = "-._~";
    /** The characters of all readings of one path; a path that has more is nobody's honest path. */
    private static final int MOST_CHARACTERS = 1 << 18;

    /** In the order of a service; decoding comes twice, because some services decode twice. */
    private static final List<UnaryOperator<String>> STEPS = List.of(
            path -> decoded(path, true),
            path -> decoded(path, true),
            PathReadings::untilEnd,
            path -> path.replace('\\', '/'),
            path -> eachSegment(path, PathReadings::withoutParameters),
            path -> eachSegment(path, PathReadings::withoutTrailers),
            PathReadings::withoutEmptySegments,
            PathReadings::withoutDots,
            path -> path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path,
            PathReadings::withoutExtension);

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

    /** Null if there are too many to look at. */
    static @Nullable Set<String> of(String path) {
        Set<String> readings = new LinkedHashSet<>(Set.of(path));
        long characters = path.length();
        for (UnaryOperator<String> step : STEPS) {
            for (String reading : List.copyOf(readings)) {
                String other = step.apply(reading);
                if (readings.add(other)) {
                    characters += other.length();
                }
                if (characters > MOST_CHARACTERS) {
                    return null;
                }
            }
        }
        return readings;
    }

    /** Without what some take for a query or a fragment once it is decoded, or for the end of a string. */
    private static String untilEnd(String path) {
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '\0' || c == '?' || c == '#') {
                return path.substring(0, i);
            }
        }
        return path;
    }

    private static String eachSegment(String path, UnaryOperator<String> change) {
        return Arrays.stream(path.split("/", -1)).map(change).collect(Collectors.joining("/"));
    }

    private static String withoutParameters(String segment) {
        int semicolon = segment.indexOf(';');
        return semicolon < 0 ? segment : segment.substring(0, semicolon);
    }

    /** Without the dots and blanks at the end that file systems leave out; of nothing else, the dots stay. */
    private static String withoutTrailers(String segment) {
        int end = segment.length();
        while (end > 0 && (segment.charAt(end - 1) == '.' || segment.charAt(end - 1) <= ' ')) {
            end--;
        }
        return end == 0 ? segment.trim() : segment.substring(0, end);
    }

    private static String withoutEmptySegments(String path) {
        if (!path.contains("//")) {
            return path;
        }
        StringBuilder shorter = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) != '/' || i == 0 || path.charAt(i - 1) != '/') {
                shorter.append(path.charAt(i));
            }
        }
        return shorter.toString();
    }

    private static String withoutDots(String path) {
        if (!path.contains("/.") || path.charAt(0) != '/') {
            return path;
        }
        Deque<String> kept = new ArrayDeque<>();
        for (String segment : path.substring(1).split("/", -1)) {
            if (segment.equals("..")) {
                kept.pollLast();
            } else if (!segment.equals(".")) {
                kept.addLast(segment);
            }
        }
        return "/" + String.join("/", kept);
    }

    /** Without {@code .json} and the like, which some frameworks take for a wish about the answer. */
    private static String withoutExtension(String path) {
        int dot = path.lastIndexOf('.');
        int name = path.lastIndexOf('/') + 1;
        return dot > name ? path.substring(0, dot) : path;
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
