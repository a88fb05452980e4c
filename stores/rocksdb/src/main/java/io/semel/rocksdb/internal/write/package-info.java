// SPDX-License-Identifier: Apache-2.0
/** The single writer, and the decisions that it makes in batches; not for use outside this module. */
@NullMarked
package io.semel.rocksdb.internal.write;

import org.jspecify.annotations.NullMarked;
