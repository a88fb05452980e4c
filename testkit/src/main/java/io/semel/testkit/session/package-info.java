// SPDX-License-Identifier: Apache-2.0
/** The laws of sessions as tests. */
@NullMarked
package io.semel.testkit.session;

import org.jspecify.annotations.NullMarked;
