// SPDX-License-Identifier: Apache-2.0
/** The choice of the store, and the engines on it. */
@NullMarked
package io.semel.spring.internal.store;

import org.jspecify.annotations.NullMarked;
