// SPDX-License-Identifier: Apache-2.0
/** Recent calls and events, for the console. */
@NullMarked
package io.semel.gateway.admin.activity;

import org.jspecify.annotations.NullMarked;
