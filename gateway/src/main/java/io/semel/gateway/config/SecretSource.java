// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.semel.gateway.config.yaml.ConfigError;
import io.semel.gateway.config.yaml.YamlSection;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The place of a secret, never the secret itself.
 *
 * @param what names the secret in messages, such as "The clientSecret of scope.introspection"
 * @param place {@code file:PATH} or {@code env:NAME}
 */
public record SecretSource(String what, String place) {

    private static final String FILE = "file:";
    private static final String ENVIRONMENT = "env:";

    static boolean isPlace(String text) {
        return text.startsWith(FILE) || text.startsWith(ENVIRONMENT);
    }

    /** Null where the setting is missing. */
    public static @Nullable SecretSource in(YamlSection fields, String name, String what) {
        String place = fields.text(name);
        if (place != null && !isPlace(place)) {
            throw fields.wrong(
                    name, "is the place of the secret, and not the secret itself; write file:PATH or env:NAME");
        }
        return place == null ? null : new SecretSource(what, place);
    }

    /** Reads it now. */
    public String read() {
        return read(System.getenv()::get);
    }

    String read(Function<String, @Nullable String> environment) {
        if (place.startsWith(FILE)) {
            return file(Path.of(place.substring(FILE.length())));
        }
        String name = place.substring(ENVIRONMENT.length());
        String value = environment.apply(name);
        if (value == null || value.isBlank()) {
            throw new ConfigError(what + " should be in the environment as " + name + "; set it, or name a file.");
        }
        return value.strip();
    }

    /** Reads it now, as Base64. */
    public byte[] readBytes() {
        try {
            return Base64.getDecoder().decode(read());
        } catch (IllegalArgumentException e) {
            throw new ConfigError(what + " is not Base64; make one with 'openssl rand -base64 32'.", e);
        }
    }

    private String file(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8).strip();
        } catch (CharacterCodingException e) {
            throw new ConfigError(what + " in " + file + " is not text.", e);
        } catch (IOException e) {
            throw new ConfigError(what + " cannot be read from " + file + ": " + e, e);
        }
    }
}
