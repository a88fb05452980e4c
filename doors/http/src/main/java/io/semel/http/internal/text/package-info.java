// SPDX-License-Identifier: Apache-2.0
/** Characters, JSON strings and hashes. */
@NullMarked
package io.semel.http.internal.text;

import org.jspecify.annotations.NullMarked;
