// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.api;

import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** The admin API, of this process or of a running gateway. */
public interface AdminApi {

    String NO_TOKEN = "Send the admin token: Authorization: Bearer …";

    ApiResponse get(String path, Map<String, String> query);

    ApiResponse post(String path, ObjectNode body);
}
