// SPDX-License-Identifier: Apache-2.0
/** Clients with sessions in a simulated world. */
@NullMarked
package io.semel.simulator.session;

import org.jspecify.annotations.NullMarked;
