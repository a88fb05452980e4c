// SPDX-License-Identifier: Apache-2.0
/** The laws of producers as tests. */
@NullMarked
package io.semel.testkit.producer;

import org.jspecify.annotations.NullMarked;
