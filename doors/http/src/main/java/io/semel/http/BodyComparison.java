// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.http.internal.body.BodyDigester;
import io.semel.http.internal.body.JsonDigester;
import io.semel.http.internal.body.MultipartDigester;
import io.semel.http.internal.body.RawDigester;
import io.semel.http.internal.body.UncomparedDigester;

/** The comparison of two requests' bodies; one for other media types than the request's is passed over. */
public final class BodyComparison {

    private static final BodyComparison RAW = new BodyComparison(new RawDigester());
    private static final BodyComparison UNCOMPARED = new BodyComparison(new UncomparedDigester());
    private static final BodyComparison MULTIPART = new BodyComparison(new MultipartDigester());

    private final BodyDigester digester;

    private BodyComparison(BodyDigester digester) {
        this.digester = digester;
    }

    /** Byte by byte: the default, and used where no other comparison applies. */
    public static BodyComparison raw() {
        return RAW;
    }

    /** Not at all: for senders that change the body between deliveries of one event, such as some webhooks. */
    public static BodyComparison uncompared() {
        return UNCOMPARED;
    }

    /**
     * JSON by its meaning: order of members, white space and spelling of numbers do not count. Needs Jackson 3 on the class
     * path ({@code tools.jackson.core:jackson-core}), and takes bodies up to 1 MiB.
     *
     * @param ignored JSON pointers (RFC 6901) of members that do not count either, such as {@code /sentAt}
     */
    public static BodyComparison json(String... ignored) {
        return new BodyComparison(JsonDigester.ignoring(ignored));
    }

    /** Multipart bodies part by part, so that a retry may draw its boundary line elsewhere. */
    public static BodyComparison multipart() {
        return MULTIPART;
    }

    BodyDigester digester() {
        return digester;
    }
}
