// SPDX-License-Identifier: Apache-2.0
/** A storm of retries against a payment method, survived or not, in three attempts. */
@NullMarked
package io.semel.examples.storm;

import org.jspecify.annotations.NullMarked;
