// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What holds for every route that does not say otherwise.
 *
 * @param upstream null if each route has to name its own
 */
record Defaults(@Nullable Upstream upstream, String namespace, Duration retention, Duration lease) {}
