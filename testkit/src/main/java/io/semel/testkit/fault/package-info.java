// SPDX-License-Identifier: Apache-2.0
/** Faults to put into a service under test: stores that fail, block and forget, crashes at a point, cut connections. */
@NullMarked
package io.semel.testkit.fault;

import org.jspecify.annotations.NullMarked;
