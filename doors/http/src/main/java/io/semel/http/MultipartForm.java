// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import org.jspecify.annotations.Nullable;

final class MultipartForm extends BodyForm {

    static final MultipartForm INSTANCE = new MultipartForm();

    private static final int LONGEST_BOUNDARY = 70;

    @Override
    String name() {
        return "multipart";
    }

    @Override
    boolean reads() {
        return true;
    }

    @Override
    boolean takes(@Nullable MediaType type) {
        return type != null && type.isMultipart();
    }

    @Override
    String meaninglessParameter() {
        return "boundary";
    }

    @Override
    BodyDigest start(@Nullable MediaType type) throws BadBody {
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
