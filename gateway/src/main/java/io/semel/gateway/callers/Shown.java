// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.callers;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaders;

/** What a request shows of its sender: its header lines, and the connection that it came on. */
record Shown(HttpHeaders headers, Channel connection) {}
