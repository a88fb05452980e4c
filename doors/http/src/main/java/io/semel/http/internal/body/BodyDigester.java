// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.body;

import org.jspecify.annotations.Nullable;

/** Digests the bodies of some media types, so that two of them can be compared. */
public interface BodyDigester {

    /** Part of the fingerprint, so that two digesters never give equal digests. */
    String name();

    boolean takes(@Nullable MediaType type);

    BodyDigest start(@Nullable MediaType type) throws BadBody;

    /** Whether it parses the body by its media type. */
    default boolean parses() {
        return false;
    }

    /** The parameter of the media type that says nothing about the content. */
    default String meaninglessParameter() {
        return "";
    }
}
