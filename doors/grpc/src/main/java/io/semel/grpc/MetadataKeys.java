// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import io.grpc.Metadata;
import io.semel.Outcome.Reason;
import java.util.Locale;

/** The metadata that this door brings along; {@code docs/grpc.md} describes it. */
final class MetadataKeys {

    static final Metadata.Key<String> KEY = name("idempotency-key");
    static final Metadata.Key<String> REPLAYED = name("idempotent-replayed");
    static final Metadata.Key<String> REFUSED = name("semel-refused");
    static final Metadata.Key<String> SESSION = name("semel-session");
    static final Metadata.Key<String> REQUEST = name("semel-request");
    static final Metadata.Key<String> FIRST_OUTSTANDING = name("semel-first-outstanding");
    static final Metadata.Key<String> LEASE = name("semel-lease-millis");
    static final Metadata.Key<String> WINDOW = name("semel-window");
    static final Metadata.Key<String> MODE = name("semel-mode");

    static Metadata.Key<String> name(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    /** Trailers that say why. */
    static Metadata refused(String why) {
        Metadata trailers = new Metadata();
        trailers.put(REFUSED, why);
        return trailers;
    }

    static String slug(Reason reason) {
        return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private MetadataKeys() {}
}
