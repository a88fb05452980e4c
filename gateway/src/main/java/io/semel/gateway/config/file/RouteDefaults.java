// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config.file;

import io.semel.Operation.OtherVersions;
import io.semel.gateway.config.TlsFiles;
import io.semel.gateway.config.Upstream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The defaults of all routes.
 *
 * @param upstream null if each route has to name its own
 * @param certificates towards the service that is asked about silent requests
 * @param hostInScope whether callers of different hosts are told apart anyway
 */
record RouteDefaults(
        @Nullable Upstream upstream,
        String namespace,
        Duration retention,
        Duration lease,
        String version,
        OtherVersions otherVersions,
        TlsFiles certificates,
        boolean hostInScope) {}
