// SPDX-License-Identifier: Apache-2.0
/** Pooled connections to services. */
@NullMarked
package io.semel.gateway.upstream;

import org.jspecify.annotations.NullMarked;
