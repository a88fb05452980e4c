// SPDX-License-Identifier: Apache-2.0
/** Keeps intents in a file, so that a restart can finish them. */
@NullMarked
package io.semel.client.internal.journal;

import org.jspecify.annotations.NullMarked;
