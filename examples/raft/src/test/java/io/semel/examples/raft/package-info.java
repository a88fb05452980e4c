// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.semel.examples.raft;

import org.jspecify.annotations.NullMarked;
