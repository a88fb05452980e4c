// SPDX-License-Identifier: Apache-2.0
/** The bytes of a stored answer; not for use outside core. */
@NullMarked
package io.semel.internal.frame;

import org.jspecify.annotations.NullMarked;
