// SPDX-License-Identifier: Apache-2.0
/** What the laws of a store are written with; for the contracts of this module alone. */
@NullMarked
package io.semel.testkit.internal.laws;

import org.jspecify.annotations.NullMarked;
