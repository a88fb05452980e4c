// SPDX-License-Identifier: Apache-2.0
/** Whose keys the keys of a request are. */
@org.jspecify.annotations.NullMarked
package io.semel.gateway.callers;
