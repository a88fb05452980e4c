// SPDX-License-Identifier: Apache-2.0
/** Identification of callers: the scope that a request's key belongs to. */
@NullMarked
package io.semel.gateway.callers;

import org.jspecify.annotations.NullMarked;
