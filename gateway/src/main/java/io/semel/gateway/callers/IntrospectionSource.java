// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.callers;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaders;
import io.semel.gateway.client.ServiceClient;
import io.semel.gateway.config.IntrospectionSettings;
import io.semel.gateway.config.TlsFiles;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The owner of an opaque bearer token according to its issuer (RFC 7662), so that a new token is the same caller. */
final class IntrospectionSource implements CallerSource {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final long MOST_ANSWER = 64 << 10;
    private static final int OK = 200;

    private final IntrospectionSettings settings;
    private final ServiceClient questions;
    private final String authorization;
    private final TokenCache known;
    /** For tokens that are nobody's yet, so that invented ones leave half of the places to those of callers. */
    private final Semaphore strangers = new Semaphore(ServiceClient.MOST_AT_ONCE / 2);

    IntrospectionSource(IntrospectionSettings settings, TlsFiles certificates) {
        this.settings = settings;
        this.questions = new ServiceClient(certificates, PATIENCE);
        String pair = form(settings.clientId()) + ":" + form(settings.secret().read());
        this.authorization = "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        this.known = new TokenCache(settings.keep(), System::currentTimeMillis);
    }

    @Override
    public boolean blocks() {
        return true;
    }

    @Override
    public List<String> parts(HttpHeaders headers, Channel connection) {
        String token = BearerToken.token(headers);
        if (token == null) {
            return List.of();
        }
        String hash = hash(token);
        String owner = known.find(hash);
        return named(owner != null ? owner : askedOwner(token, hash));
    }

    @Override
    public @Nullable List<String> known(HttpHeaders headers, Channel connection) {
        String token = BearerToken.token(headers);
        if (token == null) {
            return List.of();
        }
        String owner = known.find(hash(token));
        return owner == null ? null : named(owner);
    }

    private static String hash(String token) {
        return HexFormat.of().formatHex(CredentialHash.sha256().digest(token.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<String> named(String owner) {
        if (owner.isEmpty()) {
            throw CallerRefused.unauthenticated("The bearer token is not active.");
        }
        return List.of("introspected", owner);
    }

    /** Empty if the token is not active. */
    private String askedOwner(String token, String hash) {
        JsonNode said = known.hadOwner(hash) ? ask(token) : askAsStranger(token);
        return known.add(hash, owner(said), said.path("exp").asLong(Long.MAX_VALUE / 1000));
    }

    private JsonNode askAsStranger(String token) {
        if (!strangers.tryAcquire()) {
            throw CallerRefused.notNow(new IOException("Too many tokens that were never seen before are asked for."));
        }
        try {
            return ask(token);
        } finally {
            strangers.release();
        }
    }

    private String owner(JsonNode said) {
        JsonNode name = said.path(settings.claim());
        boolean active = said.path("active").asBoolean(false);
        return active && name.isString() ? name.asString() : "";
    }

    private JsonNode ask(String token) {
        HttpRequest question = HttpRequest.newBuilder(settings.url())
                .header("Authorization", authorization)
                .header("Accept", "application/json")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("token=" + form(token) + "&token_type_hint=access_token"))
                .build();
        try {
            HttpResponse<byte[]> answer = questions.ask(question, MOST_ANSWER);
            if (answer.statusCode() != OK) {
                throw new IOException("The issuer answered with " + answer.statusCode() + ".");
            }
            return JsonMapper.shared().readTree(answer.body());
        } catch (IOException | JacksonException e) {
            throw CallerRefused.notNow(e);
        }
    }

    private static String form(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
