// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import io.semel.gateway.admin.api.ApiResponse;
import java.nio.charset.StandardCharsets;

/** A response of the admin port. */
record AdminResponse(int status, String type, byte[] body) {

    static AdminResponse of(ApiResponse reply) {
        return of(reply.status(), "application/json", reply.body().toString());
    }

    static AdminResponse of(int status, String type, String text) {
        return new AdminResponse(status, type, text.getBytes(StandardCharsets.UTF_8));
    }
}
