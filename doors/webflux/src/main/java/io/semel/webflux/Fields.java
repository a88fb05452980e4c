// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** Header fields in Spring 7, and in Spring 6, where HttpHeaders is a map and some of its methods take any object. */
final class Fields {

    static List<String> values(HttpHeaders headers, String name) {
        Object any = headers;
        List<String> values = any instanceof Map<?, ?> map ? lines(map.get(name)) : headers.get(name);
        return values == null ? List.of() : values;
    }

    @SuppressWarnings("unchecked")
    private static @Nullable List<String> lines(@Nullable Object values) {
        return (List<String>) values;
    }

    static void remove(HttpHeaders headers, String name) {
        Object any = headers;
        if (any instanceof Map<?, ?> map) {
            map.remove(name);
        } else {
            headers.remove(name);
        }
    }

    static HttpHeaders copy(HttpHeaders headers) {
        HttpHeaders copy = new HttpHeaders();
        headers.forEach((name, values) -> copy.put(name, new ArrayList<>(values)));
        return copy;
    }

    private Fields() {}
}
