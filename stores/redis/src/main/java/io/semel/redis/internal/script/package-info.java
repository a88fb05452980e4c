// SPDX-License-Identifier: Apache-2.0
/** The requests and replies of the scripts, and the names and bytes in Redis; not for use outside this module. */
@NullMarked
package io.semel.redis.internal.script;

import org.jspecify.annotations.NullMarked;
