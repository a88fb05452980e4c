// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.client;

import java.time.Duration;

/**
 * The settings of a client's commands.
 *
 * @param confirmations the number of replicas that must confirm each write
 */
public record RedisSettings(Duration timeout, int confirmations, boolean isDurable, boolean isEvictable) {

    /** In milliseconds: half of the timeout, so that the answer arrives in time; 0 would mean for ever. */
    long confirmedWithin() {
        return Math.max(1, timeout.toMillis() / 2);
    }
}
