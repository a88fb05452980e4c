// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.gateway.admin.AdminServer;
import io.semel.gateway.admin.api.Console;
import io.semel.gateway.admin.audit.AuditLog;
import io.semel.gateway.config.Address;
import io.semel.gateway.store.OpenStore;
import io.semel.gateway.store.StoreUrl;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdminTokenTest {

    @TempDir
    private Path directory;

    @Test
    void aTokenThatIsMissingOrWrongIsSaidWithTheOption() {
        try (OpenStore open = StoreUrl.open(List.of("memory:"), false);
                AdminServer admin = AdminServer.start(
                        Address.of("127.0.0.1:0"),
                        "right",
                        new Console(open, new AuditLog(directory.resolve("audit"))))) {
            String address = "127.0.0.1:" + admin.address().getPort();

            assertThat(Typed.semel(1, "keys", "list", "--admin", address))
                    .contains("requires its admin token", "--admin-token", "SEMEL_ADMIN_TOKEN", address)
                    .hasLineCount(1);
            assertThat(Typed.semel(1, "keys", "list", "--admin", address, "--admin-token", "wrong"))
                    .contains("has a different admin token", "--admin-token")
                    .doesNotContain("wrong")
                    .hasLineCount(1);
            assertThat(Typed.semel(0, "keys", "list", "--admin", address, "--admin-token", "right"))
                    .contains("0 keys");
        }
    }
}
