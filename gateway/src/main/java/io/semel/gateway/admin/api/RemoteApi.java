// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.api;

import io.semel.gateway.client.JdkTls;
import io.semel.gateway.config.TlsFiles;
import io.semel.gateway.config.yaml.ConfigError;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The admin API of a running gateway, over its admin port. */
public final class RemoteApi implements AdminApi {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String url;
    private final @Nullable String token;
    private final HttpClient client;

    /**
     * The API behind an admin port.
     *
     * @param trust the certificate authority of the gateway's certificate, as a PEM file; null for Java's own
     */
    public RemoteApi(String url, @Nullable String token, @Nullable Path trust) {
        this.url = checked(url.contains("://") ? url : (trust == null ? "http://" : "https://") + url);
        this.token = token;
        HttpClient.Builder building = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        this.client = trust == null
                ? building.build()
                : building.sslContext(JdkTls.of(new TlsFiles(null, null, trust)))
                        .build();
    }

    private static String checked(String url) {
        try {
            if (new URI(url).getHost() != null) {
                return url;
            }
        } catch (URISyntaxException e) {
            throw new ConfigError("--admin: '" + url + "' is not an address; write 127.0.0.1:8081.", e);
        }
        throw new ConfigError("--admin: '" + url + "' is not an address; write 127.0.0.1:8081.");
    }

    @Override
    public ApiResponse get(String path, Map<String, String> query) {
        String question = query.entrySet().stream()
                .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&"));
        return send(request(path + (question.isEmpty() ? "" : "?" + question)).GET());
    }

    @Override
    public ApiResponse post(String path, ObjectNode body) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.toString())));
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + path)).timeout(PATIENCE);
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }

    private ApiResponse send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
            return response.statusCode() == 401
                    ? ApiResponse.error(401, unauthorized(JsonMapper.shared().readTree(response.body())))
                    : new ApiResponse(response.statusCode(), JsonMapper.shared().readTree(response.body()));
        } catch (SSLHandshakeException e) {
            return ApiResponse.error(
                    502,
                    "The server at " + url
                            + " has a certificate that is not trusted, or that is for another name; give its"
                            + " certificate authority with --admin-trust FILE. (" + e.getMessage() + ")");
        } catch (IOException e) {
            return ApiResponse.error(
                    503, "No gateway answers at " + url + "; is it running, and is that its admin port?");
        } catch (JacksonException e) {
            return ApiResponse.error(502, "The server at " + url + " is not a gateway's admin port.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ApiResponse.error(503, "Interrupted.");
        }
    }

    private String unauthorized(JsonNode body) {
        String said = body.path("error").asString("");
        if (!said.equals(NO_TOKEN)) {
            return said;
        }
        return token == null
                ? "The gateway at " + url
                        + " requires its admin token; give it with --admin-token or SEMEL_ADMIN_TOKEN."
                : "The gateway at " + url + " has a different admin token; correct --admin-token or SEMEL_ADMIN_TOKEN.";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
