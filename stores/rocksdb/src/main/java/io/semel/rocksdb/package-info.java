// SPDX-License-Identifier: Apache-2.0
/** A store in a directory of this machine: durable, with nothing to install. */
@NullMarked
package io.semel.rocksdb;

import org.jspecify.annotations.NullMarked;
