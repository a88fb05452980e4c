// SPDX-License-Identifier: Apache-2.0
/** A replicated counter whose commands pass through Semel's sessions inside the state machine. */
@NullMarked
package io.semel.examples.raft;

import org.jspecify.annotations.NullMarked;
