// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

/** What services are told of a client certificate that was verified, in the header fields of RFC 9440. */
public enum ClientCert {
    /** The certificate itself. */
    CERTIFICATE,
    /** The certificates that vouch for it too, as the client sent them. */
    CHAIN,
    NONE
}
