// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** The refusals of invalid requests to the endpoint. */
final class EndpointRefusals {

    static InvalidEndpointRequestException refused(String why) {
        String all = why + " Nothing was changed.";
        return new InvalidEndpointRequestException(all, all);
    }

    /** With the reason in its body, because Boot's page for an error leaves it out. */
    static WebEndpointResponse<Map<String, Object>> answer(InvalidEndpointRequestException refused) {
        return answer(WebEndpointResponse.STATUS_BAD_REQUEST, String.valueOf(refused.getMessage()));
    }

    static WebEndpointResponse<Map<String, Object>> answer(int status, String why) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("result", status == WebEndpointResponse.STATUS_NOT_FOUND ? "NOT_FOUND" : "REFUSED");
        body.put("why", why);
        return new WebEndpointResponse<>(body, status);
    }

    private EndpointRefusals() {}
}
