// SPDX-License-Identifier: Apache-2.0
/** Semel in Micrometer: what the engine does as counters and timers, what the store holds as gauges, key hashes on spans. */
@NullMarked
package io.semel.observe;

import org.jspecify.annotations.NullMarked;
