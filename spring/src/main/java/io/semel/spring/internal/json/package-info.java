// SPDX-License-Identifier: Apache-2.0
/** JSON of answers and arguments, by the Jackson that the application has. */
@NullMarked
package io.semel.spring.internal.json;

import org.jspecify.annotations.NullMarked;
