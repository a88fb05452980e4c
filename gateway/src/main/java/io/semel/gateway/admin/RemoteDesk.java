// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The desk of a gateway that runs somewhere, asked over its admin port. */
public final class RemoteDesk implements Desk {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String url;
    private final @Nullable String token;
    private final HttpClient client = HttpClient.newHttpClient();

    public RemoteDesk(String url, @Nullable String token) {
        this.url = url.contains("://") ? url : "http://" + url;
        this.token = token;
    }

    @Override
    public Reply get(String path, Map<String, String> query) {
        String question = query.entrySet().stream()
                .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&"));
        return send(request(path + (question.isEmpty() ? "" : "?" + question)).GET());
    }

    @Override
    public Reply post(String path, ObjectNode body) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.toString())));
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + path)).timeout(PATIENCE);
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }

    private Reply send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
            return new Reply(response.statusCode(), JsonMapper.shared().readTree(response.body()));
        } catch (IOException e) {
            return Reply.error(503, "No gateway answers at " + url + "; is it running, and is that its admin port?");
        } catch (JacksonException e) {
            return Reply.error(502, "What answers at " + url + " is not a gateway's admin port.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Reply.error(503, "Interrupted.");
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
