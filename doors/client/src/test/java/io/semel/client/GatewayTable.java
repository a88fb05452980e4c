// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.semel.client.Transport.Evidence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** The gateway's own problems, as docs/gateway.md lists them. */
final class GatewayTable {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z-]+)` \\| (\\d{3}) \\| ([^|]+) \\| ");

    /** Those said of a kept answer, or perhaps of one: "nothing was run" holds for the attempt, not for the request. */
    private static final Map<String, Evidence> OF_KEPT_ANSWERS = Map.of(
            "forbidden", Evidence.CARRIED_OUT, "unauthenticated", Evidence.ASIDE, "not-authorized-now", Evidence.MAYBE);

    /** One row; the evidence is what it says about the request. */
    record Row(String slug, int status, Evidence evidence) {}

    static List<Row> rows() throws IOException {
        return ROW.matcher(Files.readString(Path.of("../../docs/gateway.md"), UTF_8))
                .results()
                .map(row -> new Row(row.group(1), Integer.parseInt(row.group(2)), evidence(row.group(1), row.group(3))))
                .toList();
    }

    private static Evidence evidence(String slug, String meaning) {
        Evidence kept = OF_KEPT_ANSWERS.get(slug);
        if (kept != null) {
            return kept;
        }
        return meaning.toLowerCase(Locale.ROOT).contains("may have been run") ? Evidence.MAYBE : Evidence.NOT_RUN;
    }

    private GatewayTable() {}
}
