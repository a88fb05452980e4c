// SPDX-License-Identifier: Apache-2.0
/** Encryption of stored answers. */
@NullMarked
package io.semel.seal;

import org.jspecify.annotations.NullMarked;
