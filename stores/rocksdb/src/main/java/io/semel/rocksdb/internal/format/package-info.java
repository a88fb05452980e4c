// SPDX-License-Identifier: Apache-2.0
/** The bytes of stored slots, sessions and index entries; not for use outside this module. */
@NullMarked
package io.semel.rocksdb.internal.format;

import org.jspecify.annotations.NullMarked;
