// SPDX-License-Identifier: Apache-2.0
/** Text, hashing and error handling that core's own packages share; not for use outside core. */
@NullMarked
package io.semel.internal;

import org.jspecify.annotations.NullMarked;
