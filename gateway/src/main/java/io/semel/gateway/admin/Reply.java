// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the admin API says. */
public record Reply(int status, JsonNode body) {

    static Reply ok(JsonNode body) {
        return new Reply(200, body);
    }

    static Reply error(int status, String message) {
        return new Reply(status, JsonMapper.shared().createObjectNode().put("error", message));
    }

    public boolean isOk() {
        return status < 300;
    }
}
