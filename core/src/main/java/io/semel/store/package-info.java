// SPDX-License-Identifier: Apache-2.0
/** The contract between the engine and its stores, and what stores share. */
@NullMarked
package io.semel.store;

import org.jspecify.annotations.NullMarked;
