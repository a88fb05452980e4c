// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.semel.gateway.config.ScopeSettings;
import io.semel.gateway.config.Settings;

/** Chooses how callers are told apart. */
final class CallersOf {

    static Callers settings(Settings settings) {
        ScopeSettings scope = settings.scope();
        return scope.jwt() == null
                ? new CredentialCallers(
                        scope.credentials(),
                        scope.tenantHeader(),
                        settings.clients().trust() != null)
                : new JwtCallers(scope.jwt(), scope.tenantHeader());
    }

    private CallersOf() {}
}
