// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** An HTTP answer, as a client sees it. */
record Got(HttpResponse<byte[]> response) {

    int status() {
        return response.statusCode();
    }

    String text() {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    String header(String name) {
        return response.headers().firstValue(name).orElse("");
    }

    boolean replayed() {
        return header("Idempotent-Replayed").equals("true");
    }

    /** The last part of the problem's type, or nothing. */
    String problem() {
        return text().contains("urn:semel:problem:") ? text().replaceAll(".*urn:semel:problem:([a-z-]+).*", "$1") : "";
    }
}
