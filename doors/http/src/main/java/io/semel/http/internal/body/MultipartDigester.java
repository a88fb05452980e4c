// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.body;

import org.jspecify.annotations.Nullable;

/** Compares multipart bodies by their parts. */
public final class MultipartDigester implements BodyDigester {

    private static final int LONGEST_BOUNDARY = 70;

    @Override
    public String name() {
        return "multipart";
    }

    @Override
    public boolean parses() {
        return true;
    }

    @Override
    public boolean takes(@Nullable MediaType type) {
        return type != null && type.isMultipart();
    }

    @Override
    public String meaninglessParameter() {
        return "boundary";
    }

    @Override
    public BodyDigest start(@Nullable MediaType type) throws BadBody {
        String boundary = type == null ? null : type.parameter("boundary");
        if (boundary == null || boundary.isEmpty() || boundary.length() > LONGEST_BOUNDARY || !isVisible(boundary)) {
            throw BadBody.unreadable("A multipart body needs a boundary of 1 to 70 visible ASCII characters.");
        }
        return new MultipartDigest(boundary);
    }

    private static boolean isVisible(String boundary) {
        return boundary.chars().allMatch(c -> c >= ' ' && c <= '~');
    }
}
