// SPDX-License-Identifier: Apache-2.0
package io.semel.client.internal.response;

import java.net.http.HttpResponse;
import org.jspecify.annotations.Nullable;

/** Reads the type of a problem document (RFC 9457). */
public final class ProblemDocument {

    private static final String MEDIA_TYPE = "application/problem+json";
    private static final int LARGEST = 64 << 10;

    public static @Nullable String of(HttpResponse<byte[]> response) {
        String type = response.headers().firstValue("Content-Type").orElse("").strip();
        boolean problem = type.regionMatches(true, 0, MEDIA_TYPE, 0, MEDIA_TYPE.length());
        return problem && response.body().length <= LARGEST ? of(response.body()) : null;
    }

    public static @Nullable String of(byte[] body) {
        return JsonMember.text(body, "type");
    }

    private ProblemDocument() {}
}
