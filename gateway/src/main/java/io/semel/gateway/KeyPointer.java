// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.semel.http.HttpRules;
import org.jspecify.annotations.Nullable;

/** Finds the id of an event in its JSON body. */
final class KeyPointer {

    /** As a structured string; null if there is no such id, or none that could be a key. */
    static @Nullable String find(@Nullable String pointer, byte[] body) {
        String id = pointer == null ? null : HttpRules.eventId(pointer, body);
        return id == null ? null : "\"" + id + "\"";
    }

    private KeyPointer() {}
}
