// SPDX-License-Identifier: Apache-2.0
/** Idempotency for gRPC: unary calls with a key, or with a number in a session, happen once. */
@NullMarked
package io.semel.grpc;

import org.jspecify.annotations.NullMarked;
