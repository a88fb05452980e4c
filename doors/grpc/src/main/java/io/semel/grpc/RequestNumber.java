// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

/**
 * The place of a call in a session.
 *
 * @param number counted by the client, from 1
 * @param firstOutstanding the first number whose answer the client still waits for
 */
public record RequestNumber(String session, long number, long firstOutstanding) {}
