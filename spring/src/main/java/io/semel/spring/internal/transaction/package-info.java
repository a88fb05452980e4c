// SPDX-License-Identifier: Apache-2.0
/** Records inside and beside the application's transactions. */
@NullMarked
package io.semel.spring.internal.transaction;

import org.jspecify.annotations.NullMarked;
