// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import java.nio.charset.StandardCharsets;

/** What the admin port answers. */
record AdminAnswer(int status, String type, byte[] body) {

    static AdminAnswer of(Reply reply) {
        return of(reply.status(), "application/json", reply.body().toString());
    }

    static AdminAnswer of(int status, String type, String text) {
        return new AdminAnswer(status, type, text.getBytes(StandardCharsets.UTF_8));
    }
}
