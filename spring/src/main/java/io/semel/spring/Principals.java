// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.http.Caller;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/** Callers by their principal, and by a header for their tenant. */
record Principals(boolean anonymous, @Nullable String tenantHeader) {

    /** Of the principal's name and the lines of the tenant's header. */
    Caller of(@Nullable String principal, List<String> tenantLines) {
        if (principal == null && !anonymous) {
            throw new IllegalStateException("A request with an idempotency key has no principal. Have it authenticated"
                    + " in front of Semel's filter, or set semel.http.anonymous=true if all callers without a name may"
                    + " share their keys. Nothing was run.");
        }
        String tenant = String.join(", ", tenantLines);
        return new Caller(StringUtils.hasText(tenant) ? tenant : null, principal);
    }
}
