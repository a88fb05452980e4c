// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.api;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A response of the admin API. */
public record ApiResponse(int status, JsonNode body) {

    static ApiResponse ok(JsonNode body) {
        return new ApiResponse(200, body);
    }

    public static ApiResponse error(int status, String message) {
        return new ApiResponse(status, JsonMapper.shared().createObjectNode().put("error", message));
    }

    public boolean isOk() {
        return status < 300;
    }
}
