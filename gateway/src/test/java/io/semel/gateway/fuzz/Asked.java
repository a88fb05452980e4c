// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** A request to a hostile service. */
record Asked(String id, String method, boolean keyed, String body, boolean chunked) {

    private static final List<String> METHODS =
            List.of("GET", "GET", "HEAD", "POST", "POST", "POST", "PUT", "PATCH", "DELETE");

    static Asked of(String id, Random random) {
        String method = METHODS.get(random.nextInt(METHODS.size()));
        boolean bare = method.matches("GET|HEAD|DELETE");
        String body = bare ? "" : "body of " + id + "x".repeat(random.nextInt(15) == 0 ? random.nextInt(300_000) : 0);
        boolean keyed = method.matches("POST|PATCH") && random.nextInt(4) > 0;
        return new Asked(id, method, keyed, body, !bare && random.nextInt(3) == 0);
    }

    boolean toHead() {
        return method.equals("HEAD");
    }

    /** So much that an answer may come while it is still being sent. */
    boolean isLarge() {
        return body.length() > 10_000;
    }

    byte[] bytes() {
        String head = method + " /a HTTP/1.1\r\nHost: shop\r\nX-Id: " + id + "\r\n"
                + (keyed ? "Idempotency-Key: " + id + "\r\n" : "");
        String framed = chunked
                ? "Transfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(body.length()) + "\r\n" + body
                        + "\r\n0\r\n\r\n"
                : "Content-Length: " + body.length() + "\r\n\r\n" + body;
        return (head + framed).getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public String toString() {
        return method + (keyed ? " with a key, " : " without a key, ") + body.length()
                + (chunked ? " bytes in chunks" : " bytes") + ", X-Id: " + id;
    }
}
