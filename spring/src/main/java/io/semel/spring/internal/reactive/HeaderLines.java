// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.reactive;

import java.util.ArrayList;
import java.util.List;
import org.springframework.http.HttpHeaders;

/** The lines of one header, read in a way that Spring 6 and 7 have in common. */
public final class HeaderLines {

    public static List<String> of(HttpHeaders headers, String name) {
        List<String> lines = new ArrayList<>();
        headers.forEach((each, values) -> {
            if (lines.isEmpty() && each.equalsIgnoreCase(name)) {
                lines.addAll(values);
            }
        });
        return lines;
    }

    private HeaderLines() {}
}
