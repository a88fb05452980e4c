// SPDX-License-Identifier: Apache-2.0
/** The audit log of operators' actions. */
@NullMarked
package io.semel.gateway.admin.audit;

import org.jspecify.annotations.NullMarked;
