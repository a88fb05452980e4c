// SPDX-License-Identifier: Apache-2.0
/** The cases of the HTTP profile as tests, for authors of doors. */
@NullMarked
package io.semel.testkit.http;

import org.jspecify.annotations.NullMarked;
