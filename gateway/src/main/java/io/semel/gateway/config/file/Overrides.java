// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config.file;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of the command line, which take precedence over the file; null where it has none. */
public record Overrides(
        @Nullable String listen,
        @Nullable String admin,
        @Nullable String adminToken,
        List<String> stores,
        @Nullable String upstream) {}
