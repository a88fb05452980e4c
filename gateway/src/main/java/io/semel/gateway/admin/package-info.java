// SPDX-License-Identifier: Apache-2.0
/** What operators see and do: health, metrics, and single keys. */
@NullMarked
package io.semel.gateway.admin;

import org.jspecify.annotations.NullMarked;
