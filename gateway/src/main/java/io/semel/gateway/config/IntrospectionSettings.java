// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.semel.gateway.config.yaml.YamlSection;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The token introspection service (RFC 7662) for opaque bearer tokens.
 *
 * @param secret that goes with the client id
 * @param claim the claim that names the caller
 * @param keep how long an answer is believed, or as long as the token is good if that is shorter
 */
public record IntrospectionSettings(URI url, String clientId, SecretSource secret, String claim, Duration keep) {

    private static final Duration LONGEST = Duration.ofHours(1);

    static @Nullable IntrospectionSettings of(YamlSection scope) {
        YamlSection fields = scope.fields("introspection", "url", "clientId", "clientSecret", "claim", "keep");
        if (fields == null) {
            return null;
        }
        String url = fields.find("url", Upstream::url);
        String id = fields.text("clientId");
        SecretSource secret = SecretSource.in(fields, "clientSecret", "The clientSecret of scope.introspection");
        if (url == null || id == null || secret == null) {
            throw fields.wrong("url", "and clientId and clientSecret are needed, all of them");
        }
        Duration keep = fields.span("keep", Duration.ofMinutes(1));
        if (keep.compareTo(LONGEST) > 0) {
            throw fields.wrong("keep", "is at most 1h: for so long a token that was taken back is still believed");
        }
        return new IntrospectionSettings(URI.create(url), id, secret, fields.text("claim", "sub"), keep);
    }
}
