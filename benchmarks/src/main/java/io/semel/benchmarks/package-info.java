// SPDX-License-Identifier: Apache-2.0
/** Measurements, as ratios within one run; not published. */
@NullMarked
package io.semel.benchmarks;

import org.jspecify.annotations.NullMarked;
