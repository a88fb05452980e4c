// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config.yaml;

/** A setting that cannot be followed: what is wrong, where it stands, and what to write instead. */
public final class ConfigError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ConfigError(String message) {
        super(message);
    }

    public ConfigError(String message, Throwable cause) {
        super(message, cause);
    }
}
