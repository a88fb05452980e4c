// SPDX-License-Identifier: Apache-2.0
/** Reads structured fields and the headers of a session. */
@NullMarked
package io.semel.http.internal.field;

import org.jspecify.annotations.NullMarked;
