// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.actuate;

import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** The endpoint {@code semel} over HTTP, whose refusals have the reason in their body. */
@EndpointWebExtension(endpoint = SemelEndpoint.class)
public class SemelEndpointWebExtension {

    private final SemelEndpoint endpoint;

    public SemelEndpointWebExtension(SemelEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** As {@link SemelEndpoint#look}. */
    @ReadOperation
    @SuppressWarnings("deprecation") // Spring Boot 3 knows optional parameters by it.
    public WebEndpointResponse<Map<String, Object>> look(
            @org.springframework.lang.Nullable @Nullable String scope,
            @org.springframework.lang.Nullable @Nullable String id,
            @org.springframework.lang.Nullable @Nullable String view,
            @org.springframework.lang.Nullable @Nullable String cursor,
            @org.springframework.lang.Nullable @Nullable String limit) {
        return answer(() -> endpoint.look(scope, id, view, cursor, limit == null ? null : number("limit", limit)));
    }

    /** As {@link SemelEndpoint#decide}; what has to be there is asked for here, because Boot would not say in its answer what is missing. */
    @WriteOperation
    @SuppressWarnings("deprecation") // Spring Boot 3 knows optional parameters by it.
    public WebEndpointResponse<Map<String, Object>> decide(
            @org.springframework.lang.Nullable @Nullable String scope,
            @org.springframework.lang.Nullable @Nullable String id,
            @org.springframework.lang.Nullable @Nullable String fence,
            @org.springframework.lang.Nullable @Nullable String verdict,
            @org.springframework.lang.Nullable @Nullable String answer,
            @org.springframework.lang.Nullable @Nullable String status,
            @org.springframework.lang.Nullable @Nullable String contentType,
            @org.springframework.lang.Nullable @Nullable String body,
            @org.springframework.lang.Nullable @Nullable String form,
            SecurityContext security) {
        return answer(() -> endpoint.decide(
                needed("scope", scope),
                needed("id", id),
                fence(needed("fence", fence)),
                needed("verdict", verdict),
                answer,
                status == null ? null : number("status", status),
                contentType,
                body,
                form,
                security));
    }

    private static WebEndpointResponse<Map<String, Object>> answer(Supplier<@Nullable Map<String, Object>> asked) {
        try {
            Map<String, Object> found = asked.get();
            return found == null
                    ? EndpointRefusals.answer(WebEndpointResponse.STATUS_NOT_FOUND, "This key is unknown.")
                    : new WebEndpointResponse<>(found);
        } catch (InvalidEndpointRequestException e) {
            return EndpointRefusals.answer(e);
        }
    }

    private static String needed(String name, @Nullable String value) {
        if (value == null) {
            throw EndpointRefusals.refused(
                    "'" + name + "' is missing. A decision requires scope, id and fence, as they were shown, and"
                            + " a verdict: 'resolve', with the answer, if the call happened, 'release' if it did not.");
        }
        return value;
    }

    private static long fence(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw notWhole("fence", text);
        }
    }

    private static int number(String name, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw notWhole(name, text);
        }
    }

    private static InvalidEndpointRequestException notWhole(String name, String text) {
        return EndpointRefusals.refused("'" + name + "' must be a whole number, not '" + text + "'.");
    }
}
