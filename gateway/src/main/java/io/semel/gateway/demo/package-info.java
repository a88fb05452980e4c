// SPDX-License-Identifier: Apache-2.0
/** A storm of HTTP clients against a payments service, with the gateway in front of it or without. */
@NullMarked
package io.semel.gateway.demo;

import org.jspecify.annotations.NullMarked;
