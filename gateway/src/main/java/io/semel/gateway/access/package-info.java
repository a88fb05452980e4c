// SPDX-License-Identifier: Apache-2.0
/** The access log: a line for each request, which nobody waits for. */
@NullMarked
package io.semel.gateway.access;

import org.jspecify.annotations.NullMarked;
