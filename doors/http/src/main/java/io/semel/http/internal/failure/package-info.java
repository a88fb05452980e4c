// SPDX-License-Identifier: Apache-2.0
/** Answers to an unreachable store, and a log of refusals that callers cannot flood. */
@NullMarked
package io.semel.http.internal.failure;

import org.jspecify.annotations.NullMarked;
