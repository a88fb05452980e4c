// SPDX-License-Identifier: Apache-2.0
/** Producers: whoever appends to a log or a table under an id, an epoch and sequence numbers, so that a batch lands once. */
@NullMarked
package io.semel.producer;

import org.jspecify.annotations.NullMarked;
