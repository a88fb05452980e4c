// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import org.jspecify.annotations.Nullable;

/**
 * A result that the store acknowledged.
 *
 * @param by whose attempt it was; null if an operator amended it
 * @param superseded whether somebody else had been granted the key by then
 * @param at when, in virtual time
 * @param until the end of retention, in the store's time
 * @param forget the end of remembrance, in the store's time
 */
record Answer(byte[] frame, Stored stored, @Nullable Grant by, boolean superseded, long at, long until, long forget) {}
