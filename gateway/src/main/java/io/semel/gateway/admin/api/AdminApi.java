// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.api;

import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Where operators ask: in this process, or at a gateway that runs. */
public interface AdminApi {

    String NO_TOKEN = "Send the admin token: Authorization: Bearer …";

    ApiResponse get(String path, Map<String, String> query);

    ApiResponse post(String path, ObjectNode body);
}
