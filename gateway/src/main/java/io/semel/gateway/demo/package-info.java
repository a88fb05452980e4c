// SPDX-License-Identifier: Apache-2.0
/** The demo: a retry storm against a payments service. */
@NullMarked
package io.semel.gateway.demo;

import org.jspecify.annotations.NullMarked;
