// SPDX-License-Identifier: Apache-2.0
/** The rules of the HTTP door, without any server's API: a servlet filter, a reactive filter and a gateway share them. */
@NullMarked
package io.semel.http;

import org.jspecify.annotations.NullMarked;
