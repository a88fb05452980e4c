// SPDX-License-Identifier: Apache-2.0
/** Idempotency for servlet containers: a filter that records an answer before its first byte is sent. */
@NullMarked
package io.semel.servlet;

import org.jspecify.annotations.NullMarked;
