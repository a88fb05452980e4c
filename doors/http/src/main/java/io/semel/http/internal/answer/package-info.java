// SPDX-License-Identifier: Apache-2.0
/** Stores answers as bytes, and brings stored ones into the shape that a retry gets. */
@NullMarked
package io.semel.http.internal.answer;

import org.jspecify.annotations.NullMarked;
