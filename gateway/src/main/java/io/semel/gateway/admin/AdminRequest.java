// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A request to the admin port: its head, and its body when that is there.
 *
 * @param query as it was sent, still encoded
 * @param from the address that it came from
 */
record AdminRequest(String method, String path, @Nullable String query, HttpHeaders headers, byte[] body, String from) {

    AdminRequest with(byte[] content) {
        return new AdminRequest(method, path, query, headers, content, from);
    }

    String header(String name) {
        String value = headers.get(name);
        return value == null ? "" : value;
    }
}
