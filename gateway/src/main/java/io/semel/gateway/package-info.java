// SPDX-License-Identifier: Apache-2.0
/** The gateway's data path: a reverse proxy that asks the HTTP door about every request. */
@NullMarked
package io.semel.gateway;

import org.jspecify.annotations.NullMarked;
