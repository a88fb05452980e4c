// SPDX-License-Identifier: Apache-2.0
/** Reads responses, trusting nothing that a server sent. */
@NullMarked
package io.semel.client.internal.response;

import org.jspecify.annotations.NullMarked;
