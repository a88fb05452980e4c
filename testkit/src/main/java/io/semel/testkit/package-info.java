// SPDX-License-Identifier: Apache-2.0
/** What tests a store against the laws, and a service against retries, crashes and pauses. */
@NullMarked
package io.semel.testkit;

import org.jspecify.annotations.NullMarked;
