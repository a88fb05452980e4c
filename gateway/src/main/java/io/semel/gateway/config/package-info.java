// SPDX-License-Identifier: Apache-2.0
/** What a gateway is told to do: the settings, and how they are read from semel.yaml. */
@NullMarked
package io.semel.gateway.config;

import org.jspecify.annotations.NullMarked;
