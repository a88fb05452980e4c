// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

/** How much of a verified client certificate services are sent, in the header fields of RFC 9440. */
public enum ClientCert {
    /** The certificate itself. */
    CERTIFICATE,
    /** The certificates that vouch for it too, as the client sent them. */
    CHAIN,
    NONE
}
