// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Writes several requests one behind the other, all of them right, and then makes some parts wrong. */
final class Pipeline {

    private static final List<String> METHODS =
            List.of("GET", "POST", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS");

    private final Random random;
    private final String id;
    private final List<RequestPart> parts = new ArrayList<>();

    Pipeline(Random random, String id) {
        this.random = random;
        this.id = id;
    }

    StringBuilder write(int requests, int wrong) {
        for (int i = 0; i < requests; i++) {
            request(i);
        }
        for (int i = 0; i < wrong; i++) {
            RequestPart.spoil(parts, random);
        }
        StringBuilder text = new StringBuilder();
        parts.forEach(part -> text.append(part.text()));
        return text;
    }

    private void request(int number) {
        String method = METHODS.get(random.nextInt(METHODS.size()));
        add(RequestPart.Kind.METHOD, method);
        add(RequestPart.Kind.SPACE, " ");
        add(RequestPart.Kind.TARGET, "/a?" + id + number);
        add(RequestPart.Kind.SPACE, " ");
        add(RequestPart.Kind.VERSION, "HTTP/1.1");
        end();
        field("Host: shop");
        field("X-Id: " + id + number);
        if (random.nextInt(4) == 0) {
            field("Idempotency-Key: " + id + number);
        }
        if (random.nextInt(8) == 0) {
            field("X-More:\ta b \u00e4 ");
        }
        boolean bare = method.matches("GET|HEAD|OPTIONS|DELETE") && random.nextInt(8) > 0;
        if (bare) {
            end();
        } else if (random.nextBoolean()) {
            String body = body(number);
            field("Content-Length: " + body.length());
            end();
            add(RequestPart.Kind.DATA, body);
        } else {
            field("Transfer-Encoding: chunked");
            end();
            chunks(number);
        }
    }

    /** Often a request of its own, so that it is seen when somebody misses where it begins or ends. */
    private String body(int number) {
        String hidden =
                "GET /hidden?" + id + number + " HTTP/1.1\r\nHost: shop\r\nX-Id: " + id + number + "hidden\r\n\r\n";
        return switch (random.nextInt(4)) {
            case 0 -> "";
            case 1 -> "body of " + id + number;
            case 2 -> "0\r\n\r\n" + hidden;
            default -> hidden;
        };
    }

    private void chunks(int number) {
        for (int left = 1 + random.nextInt(2); left > 0; left--) {
            String part = body(number);
            if (!part.isEmpty()) {
                add(RequestPart.Kind.SIZE, Integer.toHexString(part.length()) + (random.nextInt(6) == 0 ? ";a=b" : ""));
                end();
                add(RequestPart.Kind.DATA, part);
                add(RequestPart.Kind.CHUNK_END, "\r\n");
            }
        }
        add(RequestPart.Kind.SIZE, "0");
        end();
        if (random.nextInt(6) == 0) {
            field("X-Trailer: " + id);
        }
        end();
    }

    private void field(String line) {
        add(RequestPart.Kind.FIELD, line);
        end();
    }

    private void end() {
        add(RequestPart.Kind.END, "\r\n");
    }

    private void add(RequestPart.Kind kind, String text) {
        parts.add(new RequestPart(kind, text));
    }
}
