// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.net;

/** What connections are told when the gateway is about to stop. */
public enum DrainEvent {
    BEGUN
}
