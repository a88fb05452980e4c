// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config.file;

import io.semel.gateway.config.yaml.ConfigError;
import io.semel.http.HttpRules;
import io.semel.http.StatusPolicy;
import io.semel.http.StatusPolicy.Keep;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a sender of events puts their ids.
 *
 * @param headers the names of the header, if it is in one
 * @param pointer where it is in a JSON body, if it is there
 */
record WebhookPreset(List<String> headers, @Nullable String pointer) {

    private static final int FIRST_CLIENT_ERROR = 400;
    private static final int FIRST_SERVER_ERROR = 500;

    static WebhookPreset of(String text) {
        return switch (text) {
            case "stripe" -> new WebhookPreset(List.of(), "/id");
            case "github" -> new WebhookPreset(List.of("X-GitHub-Delivery"), null);
            case "svix", "standard" -> new WebhookPreset(List.of("Webhook-Id", "Svix-Id"), null);
            default -> {
                if (text.startsWith("/")) {
                    yield new WebhookPreset(List.of(), text);
                }
                throw new ConfigError(
                        "'" + text + "' is not a sender of webhooks; write stripe, github, svix or standard,"
                                + " a JSON pointer such as /event/id, or leave it out and name the header.");
            }
        };
    }

    /**
     * A refused event is not remembered: otherwise a forged event with a wrong signature would make the service refuse the real one
     * that follows.
     */
    static StatusPolicy forgettingRefusals(StatusPolicy policy) {
        StatusPolicy changed = policy;
        for (int status = FIRST_CLIENT_ERROR; status < FIRST_SERVER_ERROR; status++) {
            changed = changed.with(status, Keep.FORGET);
        }
        return changed;
    }

    HttpRules in(HttpRules rules) {
        return headers.isEmpty() ? rules : rules.keyHeaders(headers.toArray(String[]::new));
    }
}
