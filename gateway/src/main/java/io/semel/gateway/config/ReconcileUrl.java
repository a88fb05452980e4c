// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.semel.Attempt;
import io.semel.Call;
import io.semel.WhenAbandoned.Hook;
import io.semel.WhenAbandoned.Verdict;
import io.semel.http.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Asks a URL whether an abandoned request was carried out: 200 says yes, and its body and Content-Type are the answer for
 * retries; 404 says no; anything else says that nobody knows.
 */
final class ReconcileUrl implements Hook {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int HAPPENED = 200;
    private static final int DID_NOT_HAPPEN = 404;

    private final String url;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();

    ReconcileUrl(String url) {
        this.url = url;
    }

    @Override
    public Verdict ask(Call call, Attempt attempt) {
        String question = url + (url.indexOf('?') < 0 ? '?' : '&') + "key="
                + encoded(call.key().id()) + "&scope=" + encoded(call.key().scope()) + "&fence=" + attempt.fence();
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(question))
                    .timeout(PATIENCE)
                    .build();
            return verdict(client.send(request, BodyHandlers.ofByteArray()));
        } catch (IOException e) {
            return Verdict.stillUnknown();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Verdict.stillUnknown();
        }
    }

    private static Verdict verdict(HttpResponse<byte[]> said) {
        return switch (said.statusCode()) {
            case HAPPENED -> {
                String type = said.headers().firstValue("Content-Type").orElse("application/octet-stream");
                yield Verdict.happened(
                        Answer.codec(), Answer.of(HAPPENED, said.body()).with("Content-Type", type));
            }
            case DID_NOT_HAPPEN -> Verdict.didNotHappen();
            default -> Verdict.stillUnknown();
        };
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
