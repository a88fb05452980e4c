// SPDX-License-Identifier: Apache-2.0
/** What the starter needs on Spring Boot 3 in place of types that Spring Boot 4 moved. */
@NullMarked
package io.semel.spring.boot3;

import org.jspecify.annotations.NullMarked;
