// SPDX-License-Identifier: Apache-2.0
/** A store in this process's memory. */
@NullMarked
package io.semel.memory;

import org.jspecify.annotations.NullMarked;
