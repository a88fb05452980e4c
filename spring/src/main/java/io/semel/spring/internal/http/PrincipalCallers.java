// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.http;

import io.semel.http.Caller;
import io.semel.spring.SemelHttpProperties;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * The identification of callers by their principal and, if configured, by a header that names their tenant.
 *
 * @param anonymous whether requests without a principal may share their keys
 */
public record PrincipalCallers(boolean anonymous, @Nullable String tenantHeader) {

    /**
     * The identification that the settings describe.
     *
     * @param securityChain the class of Spring Security's chains; where there is one, anonymous callers have to be allowed
     */
    public static PrincipalCallers of(SemelHttpProperties settings, ListableBeanFactory beans, String securityChain) {
        Boolean anonymous = settings.anonymous();
        return new PrincipalCallers(
                anonymous == null ? !isSecured(beans, securityChain) : anonymous, settings.tenantHeader());
    }

    private static boolean isSecured(ListableBeanFactory beans, String chain) {
        ClassLoader loader = PrincipalCallers.class.getClassLoader();
        return ClassUtils.isPresent(chain, loader)
                && beans.getBeanNamesForType(ClassUtils.resolveClassName(chain, loader), false, false).length > 0;
    }

    public Caller caller(@Nullable String principal, List<String> tenantLines) {
        if (principal == null && !anonymous) {
            throw new IllegalStateException("A request with an idempotency key has no principal. Authenticate requests"
                    + " before Semel's filter, or set semel.http.anonymous=true if all anonymous callers may share keys."
                    + " The request was not executed.");
        }
        String tenant = String.join(", ", tenantLines);
        return new Caller(StringUtils.hasText(tenant) ? tenant : null, principal);
    }
}
