// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.semel.simulator.session;

import org.jspecify.annotations.NullMarked;
