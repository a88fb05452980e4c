// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.semel.gateway.config.yaml.ConfigError;
import io.semel.gateway.config.yaml.YamlSection;
import io.semel.gateway.log.AccessFormat;
import io.semel.gateway.log.AccessLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Destination and format of the access log.
 *
 * @param file null for standard output
 * @param fileBytes from which size on a file is set aside
 * @param files how many of those are kept
 * @param keys whether keys are written in the clear beside their hashes
 */
public record AccessLogSettings(@Nullable Path file, AccessFormat format, long fileBytes, int files, boolean keys) {

    private static final long FILE_BYTES = 100L << 20;
    private static final int FILES = 9;

    public AccessLogSettings {
        if (fileBytes < 1 || files < 1) {
            throw new IllegalArgumentException("fileBytes and files are at least 1");
        }
    }

    public AccessLog open() {
        if (file == null) {
            return AccessLog.onStandardOutput(format, keys);
        }
        try {
            return AccessLog.in(file, fileBytes, files, format, keys);
        } catch (IOException e) {
            throw new ConfigError("accessLog.file: " + file + " cannot be written to (" + e + ").", e);
        }
    }

    /** Format and destination. */
    @Override
    public String toString() {
        String name = format.name().toLowerCase(Locale.ROOT);
        return name + (file == null ? " to standard output" : " to " + file) + (keys ? ", with keys in the clear" : "");
    }

    /** Null where requests are not logged. */
    public static @Nullable AccessLogSettings of(YamlSection fields) {
        YamlSection log = fields.fields("accessLog", "file", "format", "fileBytes", "files", "keys");
        return log == null
                ? null
                : fields.wrapped(
                        "accessLog",
                        () -> new AccessLogSettings(
                                log.file("file"),
                                log.choice("format", AccessFormat.class, AccessFormat.TEXT),
                                log.bytes("fileBytes", FILE_BYTES),
                                log.number("files", FILES),
                                log.flag("keys")));
    }
}
