// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** Operator and reason for the audit log. */
final class AuditOption {

    @Option(
            names = "--operator",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name}",
            description = "Name of the operator in the audit log. Default: your user name")
    private String operator = "";

    @Option(names = "--why", paramLabel = "TEXT", description = "Reason, for the audit log.")
    private @Nullable String why;

    ObjectNode on(ObjectNode act) {
        act.put("operator", operator);
        return why == null ? act : act.put("why", why);
    }
}
