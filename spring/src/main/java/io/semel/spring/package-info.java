// SPDX-License-Identifier: Apache-2.0
/** Semel in Spring Boot: {@link io.semel.spring.Idempotent} on methods, a store found by itself, transactions joined. */
@NullMarked
package io.semel.spring;

import org.jspecify.annotations.NullMarked;
