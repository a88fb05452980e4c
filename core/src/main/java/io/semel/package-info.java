// SPDX-License-Identifier: Apache-2.0
/** The engine, the store SPI and their words: everything a door, a store or a plain caller needs. */
@NullMarked
package io.semel;

import org.jspecify.annotations.NullMarked;
