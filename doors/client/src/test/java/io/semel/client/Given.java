// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.net.ssl.SSLSession;

/** An answer as a test writes it. */
public record Given(int statusCode, HttpHeaders headers, byte[] body) implements HttpResponse<byte[]> {

    public static Given of(int status, String body, String... headers) {
        Map<String, List<String>> lines = new TreeMap<>();
        for (String header : headers) {
            int colon = header.indexOf(':');
            lines.computeIfAbsent(header.substring(0, colon), name -> new ArrayList<>())
                    .add(header.substring(colon + 1).strip());
        }
        return new Given(status, HttpHeaders.of(lines, (name, value) -> true), body.getBytes(UTF_8));
    }

    static Given problem(int status, String slug, String... headers) {
        String[] more = List.of(headers).toArray(new String[headers.length + 1]);
        more[headers.length] = "Content-Type: application/problem+json";
        return of(status, "{\"type\":\"urn:semel:problem:" + slug + "\"}", more);
    }

    @Override
    public HttpRequest request() {
        return HttpRequest.newBuilder(uri()).build();
    }

    @Override
    public Optional<HttpResponse<byte[]>> previousResponse() {
        return Optional.empty();
    }

    @Override
    public Optional<SSLSession> sslSession() {
        return Optional.empty();
    }

    @Override
    public URI uri() {
        return URI.create("http://service.example/payments");
    }

    @Override
    public HttpClient.Version version() {
        return HttpClient.Version.HTTP_1_1;
    }
}
