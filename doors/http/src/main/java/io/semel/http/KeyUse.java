// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

/** The use that a route makes of idempotency keys. */
public enum KeyUse {
    /** A request without a key is refused. */
    REQUIRED,
    /** A request without a key runs unprotected. */
    OPTIONAL,
    /** Keys are not looked at. */
    IGNORED,
    /** A request with a key is refused, because its sender relies on what is not there. */
    REJECTED
}
