// SPDX-License-Identifier: Apache-2.0
/** Digests request bodies, so that a retry can be told from another request. */
@NullMarked
package io.semel.http.internal.body;

import org.jspecify.annotations.NullMarked;
