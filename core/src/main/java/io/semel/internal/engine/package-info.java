// SPDX-License-Identifier: Apache-2.0
/** The engine's inside: claiming, running, renewing and ending attempts; not for use outside core. */
@NullMarked
package io.semel.internal.engine;

import org.jspecify.annotations.NullMarked;
