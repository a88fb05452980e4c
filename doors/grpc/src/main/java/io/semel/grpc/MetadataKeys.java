// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import io.grpc.Metadata;
import io.semel.client.HeaderNames;
import io.semel.client.ProblemType;
import java.util.Locale;

/** The metadata that this door brings along; {@code docs/grpc.md} describes it. */
final class MetadataKeys {

    static final Metadata.Key<String> KEY = header(HeaderNames.KEY);
    static final Metadata.Key<String> REPLAYED = header(HeaderNames.REPLAYED);
    static final Metadata.Key<String> REFUSED = name("semel-refused");
    static final Metadata.Key<String> SESSION = header(HeaderNames.SESSION);
    static final Metadata.Key<String> REQUEST = header(HeaderNames.REQUEST);
    static final Metadata.Key<String> FIRST_OUTSTANDING = header(HeaderNames.FIRST_OUTSTANDING);
    static final Metadata.Key<String> LEASE = name("semel-lease-millis");
    static final Metadata.Key<String> WINDOW = name("semel-window");
    static final Metadata.Key<String> MODE = name("semel-mode");

    private static Metadata.Key<String> header(String name) {
        return name(name.toLowerCase(Locale.ROOT));
    }

    static Metadata.Key<String> name(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    /** Trailers with the reason for a refusal, by its name in the HTTP profile. */
    static Metadata refused(ProblemType problem) {
        return refused(problem.slug());
    }

    static Metadata refused(String why) {
        Metadata trailers = new Metadata();
        trailers.put(REFUSED, why);
        return trailers;
    }

    private MetadataKeys() {}
}
