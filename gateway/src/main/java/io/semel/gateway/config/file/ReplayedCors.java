// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config.file;

import io.semel.http.Answer;
import io.semel.http.Answer.Header;
import io.semel.http.ReplayRenderer;
import io.semel.http.Request;
import java.util.List;

/**
 * What a service told a browser about who may read its answer is kept with it, and told again to a retry of the same origin; another
 * origin was never answered, and is told nothing.
 */
final class ReplayedCors implements ReplayRenderer {

    private static final String ORIGIN = "Access-Control-Allow-Origin";
    private static final String ANY = "*";

    /** To be kept beside the standard ones. */
    static final List<String> HEADERS =
            List.of(ORIGIN, "Access-Control-Allow-Credentials", "Access-Control-Expose-Headers", "Vary");

    @Override
    public Answer render(Answer stored, Request request) {
        String allowed = stored.header(ORIGIN).orElse(null);
        if (allowed == null || allowed.equals(ANY)) {
            return stored;
        }
        Answer answer = List.of(allowed).equals(request.headers("Origin")) ? stored : without(stored);
        boolean varies = answer.headers().stream()
                .anyMatch(line -> line.name().equalsIgnoreCase("Vary") && namesOrigin(line.value()));
        return varies ? answer : answer.with("Vary", "Origin");
    }

    private static Answer without(Answer stored) {
        List<Header> others = stored.headers().stream()
                .filter(line -> !line.name().regionMatches(true, 0, "Access-Control-", 0, "Access-Control-".length()))
                .toList();
        return new Answer(stored.status(), others, stored.body());
    }

    private static boolean namesOrigin(String value) {
        return List.of(value.split(",", -1)).stream().map(String::strip).anyMatch("Origin"::equalsIgnoreCase);
    }
}
