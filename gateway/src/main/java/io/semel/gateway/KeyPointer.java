// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Finds the id of an event in its JSON body. */
final class KeyPointer {

    private static final Pattern PLAIN = Pattern.compile("[ !#-\\[\\]-~]+");

    /** As a structured string; null if there is no such id, or none that could be a key. */
    static @Nullable String find(@Nullable String pointer, byte[] body) {
        if (pointer == null) {
            return null;
        }
        try {
            JsonNode id = JsonMapper.shared().readTree(body).at(pointer);
            String text = id.isString() || id.isIntegralNumber() ? id.asString() : "";
            return PLAIN.matcher(text).matches() ? "\"" + text + "\"" : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    private KeyPointer() {}
}
