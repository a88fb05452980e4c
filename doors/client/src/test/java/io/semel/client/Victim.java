// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;

/** A process that sends one request, and is killed before it has an answer. */
final class Victim {

    public static void main(String[] arguments) throws IOException {
        try (FileIntentJournal intents = FileIntentJournal.open(Path.of(arguments[0]))) {
            RetryingClient.over(HttpClient.newHttpClient())
                    .journal(intents)
                    .send(Intent.of(HttpRequest.newBuilder(URI.create(arguments[1]))
                            .header("Content-Type", "application/json")
                            .header("Authorization", "Bearer s3cret")
                            .POST(BodyPublishers.ofString("{\"amountCents\":500}"))
                            .build()));
        }
    }

    private Victim() {}
}
