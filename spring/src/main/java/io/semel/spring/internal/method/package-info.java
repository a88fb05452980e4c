// SPDX-License-Identifier: Apache-2.0
/** {@link io.semel.spring.Idempotent} methods: how a call is turned into a key, run once and answered. */
@NullMarked
package io.semel.spring.internal.method;

import org.jspecify.annotations.NullMarked;
