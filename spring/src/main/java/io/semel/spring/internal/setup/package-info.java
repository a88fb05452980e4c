// SPDX-License-Identifier: Apache-2.0
/** The checks at start-up that refuse a setup whose guarantees could not be kept. */
@NullMarked
package io.semel.spring.internal.setup;

import org.jspecify.annotations.NullMarked;
