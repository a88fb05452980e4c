// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Where operators ask: in this process, or at a gateway that runs. */
public interface Desk {

    Reply get(String path, Map<String, String> query);

    Reply post(String path, ObjectNode body);
}
