// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.semel.gateway.config.yaml.ConfigError;
import io.semel.gateway.config.yaml.YamlSection;
import io.semel.seal.AesGcmSeal;
import io.semel.seal.Seal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The places of the keys that encrypt answers, never the keys themselves.
 *
 * @param sources by id, {@code file:PATH} or {@code env:NAME}; the first writes, all of them read
 */
public record SealSettings(Map<String, String> sources) {

    /** Null where answers are stored as they are. */
    public static @Nullable SealSettings of(YamlSection fields) {
        YamlSection seal = fields.fields("seal", "keys");
        if (seal == null) {
            return null;
        }
        Map<String, String> sources = seal.entries("keys");
        if (sources.isEmpty()) {
            throw seal.wrong("keys", "is missing; name at least one, such as 2026: file:/run/secrets/semel-2026");
        }
        sources.forEach((id, source) -> {
            if (!SecretSource.isPlace(source)) {
                throw seal.wrong(
                        "keys",
                        "has something else than the place of key '" + id
                                + "'; write file:PATH or env:NAME: keys themselves do not belong here");
            }
        });
        return new SealSettings(new LinkedHashMap<>(sources));
    }

    /** Reads the keys now. */
    public Seal open() {
        return open(System.getenv()::get);
    }

    Seal open(Function<String, @Nullable String> environment) {
        Map<String, String> keys = new LinkedHashMap<>();
        sources.forEach((id, source) ->
                keys.put(id, new SecretSource("The key '" + id + "' of seal", source).read(environment)));
        try {
            return AesGcmSeal.ofBase64(ids().get(0), keys);
        } catch (IllegalArgumentException e) {
            throw new ConfigError("The keys of seal cannot be used. " + e.getMessage(), e);
        }
    }

    /** The first is the one that writes. */
    public List<String> ids() {
        return List.copyOf(sources.keySet());
    }
}
