// SPDX-License-Identifier: Apache-2.0
/** The admin API: inspects keys and sessions, and settles keys by hand. */
@NullMarked
package io.semel.gateway.admin.api;

import org.jspecify.annotations.NullMarked;
