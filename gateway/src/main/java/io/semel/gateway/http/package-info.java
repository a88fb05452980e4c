// SPDX-License-Identifier: Apache-2.0
/** HTTP messages: syntax checks, header rules, request ids, and the gateway's own responses. */
@NullMarked
package io.semel.gateway.http;

import org.jspecify.annotations.NullMarked;
