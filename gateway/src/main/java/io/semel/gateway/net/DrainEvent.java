// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.net;

/** The event that tells connections that the gateway is about to stop. */
public enum DrainEvent {
    BEGUN
}
