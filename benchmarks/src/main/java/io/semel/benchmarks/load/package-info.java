// SPDX-License-Identifier: Apache-2.0
/** Load runs against real servers: ratios within one run. */
@NullMarked
package io.semel.benchmarks.load;

import org.jspecify.annotations.NullMarked;
