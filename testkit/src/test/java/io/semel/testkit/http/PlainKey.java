// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads keys as the profile has them. */
final class PlainKey {

    private static final Pattern BARE = Pattern.compile("[A-Za-z0-9._~:+/=-]{1,255}");
    private static final Pattern QUOTED = Pattern.compile(
            "\"((?:[ !#-\\[\\]-~]|\\\\[\"\\\\])*+)\"((?: *; *[a-z*][a-z0-9_.*-]*(?:=[A-Za-z0-9]+)?)*+)");
    private static final int LONGEST = 255;

    /** The key, or null if it is malformed. */
    static @Nullable String read(List<String> lines, HttpSetting setting, @Nullable Fault fault) {
        if (lines.size() != 1 && fault != Fault.TAKES_THE_FIRST_OF_TWO_KEYS) {
            return null;
        }
        String line = lines.get(0).strip();
        boolean quoted = setting == HttpSetting.QUOTED_KEYS
                || (setting != HttpSetting.BARE_KEYS && line.startsWith("\"") && fault != Fault.COUNTS_QUOTES);
        String key = quoted ? quoted(line) : bare(line, fault);
        if (key == null || (key.isEmpty() && fault != Fault.TAKES_EMPTY_KEYS)) {
            return null;
        }
        String folded = fault == Fault.FOLDS_CASE ? key.toLowerCase(Locale.ROOT) : key;
        return "k" + (folded.length() <= LONGEST ? folded : folded.substring(0, LONGEST));
    }

    private static @Nullable String bare(String line, @Nullable Fault fault) {
        boolean any = fault == Fault.COUNTS_QUOTES || fault == Fault.CUTS_LONG_KEYS;
        return any || BARE.matcher(line).matches() ? line : null;
    }

    private static @Nullable String quoted(String line) {
        Matcher matcher = QUOTED.matcher(line);
        if (!matcher.matches()) {
            return null;
        }
        String key = matcher.group(1).replaceAll("\\\\(.)", "$1");
        return key.length() > LONGEST ? null : key;
    }

    private PlainKey() {}
}
