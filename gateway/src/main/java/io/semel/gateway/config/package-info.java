// SPDX-License-Identifier: Apache-2.0
/** The settings of a gateway, as data. */
@NullMarked
package io.semel.gateway.config;

import org.jspecify.annotations.NullMarked;
