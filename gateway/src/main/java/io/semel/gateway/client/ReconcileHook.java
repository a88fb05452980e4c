// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.client;

import io.semel.Attempt;
import io.semel.Call;
import io.semel.WhenAbandoned.Hook;
import io.semel.WhenAbandoned.Verdict;
import io.semel.gateway.config.TlsFiles;
import io.semel.gateway.config.yaml.ConfigError;
import io.semel.gateway.log.ThrottledLog;
import io.semel.http.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks a URL whether an abandoned request was carried out. Only the header {@code Semel-Verdict} says so: {@code happened}, and body and
 * Content-Type are the answer for retries, or {@code did-not-happen}. Any other response leaves the outcome unknown, above all a server's
 * response to a path that it does not know. Key, scope and fence are in the body of the question, where no log has them.
 */
public final class ReconcileHook implements Hook {

    private static final ThrottledLog LOG = new ThrottledLog(ReconcileHook.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String VERDICT = "Semel-Verdict";
    private static final int OK = 200;

    private final URI url;
    private final ServiceClient questions;
    private final long largestAnswer;

    public ReconcileHook(String url, TlsFiles certificates, long largestAnswer) {
        this.url = URI.create(url);
        this.questions = new ServiceClient(certificates, PATIENCE);
        this.largestAnswer = largestAnswer;
    }

    @Override
    public Verdict ask(Call call, Attempt attempt) {
        String about = JsonMapper.shared()
                .createObjectNode()
                .put("key", call.key().id())
                .put("scope", call.key().scope())
                .put("fence", attempt.fence())
                .toString();
        HttpRequest question = HttpRequest.newBuilder(url)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(about))
                .build();
        try {
            return verdict(questions.ask(question, largestAnswer));
        } catch (IOException | ConfigError e) {
            return unknown("could not be asked: " + e.getMessage());
        }
    }

    private Verdict verdict(HttpResponse<byte[]> said) {
        String verdict = said.headers().firstValue(VERDICT).orElse("");
        return switch (verdict) {
            case "happened" -> {
                String type = said.headers().firstValue("Content-Type").orElse("application/octet-stream");
                yield Verdict.happened(
                        Answer.codec(), Answer.of(OK, said.body()).with("Content-Type", type));
            }
            case "did-not-happen" -> Verdict.didNotHappen();
            case "unknown" -> Verdict.stillUnknown();
            default ->
                unknown("answered " + said.statusCode()
                        + " without 'Semel-Verdict: happened', 'did-not-happen' or 'unknown'");
        };
    }

    private Verdict unknown(String why) {
        LOG.warn("The URL of whenSilent gave no verdict; the outcome stays unknown.", url + " " + why, null);
        return Verdict.stillUnknown();
    }
}
