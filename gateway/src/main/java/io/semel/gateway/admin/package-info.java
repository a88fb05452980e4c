// SPDX-License-Identifier: Apache-2.0
/** The admin port: access checks, the console's files, health and metrics. */
@NullMarked
package io.semel.gateway.admin;

import org.jspecify.annotations.NullMarked;
