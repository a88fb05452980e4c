// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

/** What connections are told when the gateway is about to stop. */
enum Draining {
    BEGUN
}
