// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import java.util.regex.Pattern;

/** Tells whether a text is an object of JSON whose members are strings, numbers or words, as those of a problem are. */
final class JsonObject {

    private static final String STRING = "\"(?:[^\"\\\\\\x00-\\x1f]|\\\\(?:[\"\\\\/bfnrt]|u[0-9a-fA-F]{4}))*+\"";
    private static final String VALUE = "(?:" + STRING + "|-?\\d+(?:\\.\\d+)?|true|false|null)";
    private static final String MEMBER = "\\s*" + STRING + "\\s*:\\s*" + VALUE + "\\s*";
    private static final Pattern OBJECT = Pattern.compile("\\s*\\{" + MEMBER + "(?:," + MEMBER + ")*+\\}\\s*");

    static boolean isOne(String text) {
        return OBJECT.matcher(text).matches();
    }

    private JsonObject() {}
}
