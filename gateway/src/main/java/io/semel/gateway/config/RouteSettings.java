// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.semel.Operation;
import io.semel.http.HttpRules;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one route.
 *
 * @param operation how long answers are kept and what happens to abandoned calls; its name is in events and metrics
 * @param largestBody as the rules have it
 * @param patience how long a duplicate waits for the first request to be answered, without taking a thread
 * @param idPointer where in a JSON body the key is, for webhooks that have it nowhere else
 * @param authorize what is asked before a replay is handed out
 * @param whenSilent what becomes of abandoned calls: {@code refuse}, {@code rerun}, or the URL that is asked
 * @param failOpen whether requests run unprotected while the store cannot be reached
 * @param upstreamHost whether the upstream is told its own name in Host, instead of the one that the client asked for
 * @param keyHeaders that were named as carrying the key, beside the usual one
 * @param keyUse of keys, as the rules have it: {@code required}, {@code optional}, {@code ignored} or {@code rejected}
 * @param compare how bodies are compared, as the rules have it
 * @param serverErrors what becomes of a key whose service answers 5xx, as the rules have it
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
        String whenSilent,
        boolean failOpen,
        boolean upstreamHost,
        List<String> keyHeaders,
        String keyUse,
        String compare,
        String serverErrors) {

    /** Whether a URL is asked about abandoned calls, which takes its time. */
    public boolean asksAboutSilence() {
        return whenSilent.contains("://");
    }

    /** Whether bodies are read for what they mean, which takes longer than an event loop has. */
    public boolean parsesBodies() {
        return idPointer != null || compare.equals("json");
    }

    /** Who is asked about abandoned calls. */
    public @Nullable Upstream witness() {
        return asksAboutSilence() ? origin(whenSilent) : null;
    }

    /** Who is asked before a replay is handed out. */
    public @Nullable Upstream judge() {
        return authorize == null ? null : origin(authorize);
    }

    private static Upstream origin(String text) {
        URI url = URI.create(text);
        return Upstream.of(url.getScheme() + "://" + url.getRawAuthority());
    }
}
