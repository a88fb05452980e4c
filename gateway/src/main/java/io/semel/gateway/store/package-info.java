// SPDX-License-Identifier: Apache-2.0
/** Opens stores by URL. */
@NullMarked
package io.semel.gateway.store;

import org.jspecify.annotations.NullMarked;
