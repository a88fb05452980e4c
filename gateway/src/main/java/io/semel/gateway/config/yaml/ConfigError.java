// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config.yaml;

/** An invalid setting: the error, its place, and the correction. */
public final class ConfigError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ConfigError(String message) {
        super(message);
    }

    public ConfigError(String message, Throwable cause) {
        super(message, cause);
    }
}
