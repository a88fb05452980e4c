// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.semel.testkit.sim.session;

import org.jspecify.annotations.NullMarked;
