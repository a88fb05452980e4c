// SPDX-License-Identifier: Apache-2.0
/** Pages and samples of slots, and the registry of sessions; not for use outside this module. */
@NullMarked
package io.semel.redis.internal.store;

import org.jspecify.annotations.NullMarked;
