// SPDX-License-Identifier: Apache-2.0
/** The gateway: a reverse proxy that makes retries safe. */
@NullMarked
package io.semel.gateway;

import org.jspecify.annotations.NullMarked;
