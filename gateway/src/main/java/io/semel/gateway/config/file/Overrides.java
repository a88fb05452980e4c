// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config.file;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the command line says, over what is in a file; null where it says nothing. */
public record Overrides(
        @Nullable String listen,
        @Nullable String admin,
        @Nullable String adminToken,
        List<String> stores,
        @Nullable String upstream) {}
