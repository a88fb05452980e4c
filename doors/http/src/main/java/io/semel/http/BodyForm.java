// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import org.jspecify.annotations.Nullable;

/** How the bodies of two requests are compared; forms for other media types than the request's are passed over. */
public abstract sealed class BodyForm permits RawForm, UncomparedForm, JsonForm, MultipartForm {

    /** Byte by byte: the default, and what is used where no other form applies. */
    public static BodyForm raw() {
        return RawForm.INSTANCE;
    }

    /** Not at all: for senders that change the body between deliveries of one event, such as some webhooks. */
    public static BodyForm uncompared() {
        return UncomparedForm.INSTANCE;
    }

    /**
     * JSON by its meaning: order of members, white space and spelling of numbers do not count. Needs Jackson 3 on the class
     * path ({@code tools.jackson.core:jackson-core}), and takes bodies up to 1 MiB.
     *
     * @param ignored JSON pointers (RFC 6901) of members that do not count either, such as {@code /sentAt}
     */
    public static BodyForm json(String... ignored) {
        return JsonForm.ignoring(ignored);
    }

    /** Multipart bodies part by part, so that a retry may draw its boundary line elsewhere. */
    public static BodyForm multipart() {
        return MultipartForm.INSTANCE;
    }

    BodyForm() {}

    /** Part of the fingerprint, so that two forms never give equal digests. */
    abstract String name();

    abstract boolean takes(@Nullable MediaType type);

    abstract BodyDigest start(@Nullable MediaType type) throws BadBody;

    /** Whether it reads the body as what its media type says. */
    boolean reads() {
        return false;
    }

    /** The parameter of the media type that says nothing about the content. */
    String meaninglessParameter() {
        return "";
    }
}
