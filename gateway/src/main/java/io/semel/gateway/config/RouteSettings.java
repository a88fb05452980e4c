// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.semel.Operation;
import io.semel.http.HttpRules;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is done with the requests of one route.
 *
 * @param operation how long answers are kept and what happens to abandoned calls; its name is in events and metrics
 * @param largestBody as the rules have it
 * @param patience how long a duplicate waits for the first request to be answered, without taking a thread
 * @param idPointer where in a JSON body the key is, for webhooks that have it nowhere else
 * @param authorize what is asked before a replay is handed out
 * @param asksAboutSilence whether a URL is asked about abandoned calls, which takes its time
 * @param upstreamHost whether the upstream is told its own name in Host, instead of the one that the client asked for
 */
public record RouteSettings(
        PathPattern path,
        Set<String> methods,
        Upstream upstream,
        Operation operation,
        HttpRules rules,
        long largestBody,
        Duration patience,
        @Nullable String idPointer,
        @Nullable String authorize,
        boolean asksAboutSilence,
        boolean upstreamHost) {

    /** Who is asked before a replay is handed out. */
    public @Nullable Upstream judge() {
        if (authorize == null) {
            return null;
        }
        URI url = URI.create(authorize);
        return Upstream.of(url.getScheme() + "://" + url.getRawAuthority());
    }
}
