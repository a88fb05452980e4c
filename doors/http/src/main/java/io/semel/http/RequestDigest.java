// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Fingerprint;
import io.semel.http.internal.body.BadBody;
import io.semel.http.internal.body.BodyDigest;
import io.semel.http.internal.body.BodyDigester;
import io.semel.http.internal.body.MediaType;
import io.semel.http.internal.text.Ascii;
import io.semel.http.internal.text.Sha256;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A digest of everything that is compared of a request, made as its body comes in; see {@code docs/formats/http-fingerprint.md}. */
final class RequestDigest {

    private static final String FORMAT = "semel-http-1";

    /** Headers that change what a method or a body means. */
    private static final List<String> MEANING =
            List.of("content-encoding", "x-http-method-override", "x-http-method", "x-method-override");

    private final MessageDigest digest = Sha256.digest();
    private final BodyDigester digester;
    private final BodyDigest body;
    private final long largestBody;
    private long length;

    private RequestDigest(HttpRules rules, BodyDigester digester, @Nullable MediaType type) throws BadBody {
        this.digester = digester;
        this.body = digester.start(type);
        this.largestBody = rules.largestBody;
    }

    static RequestDigest of(Request request, HttpRules rules, @Nullable Instant firstSent) throws BadBody {
        List<String> contentType = request.headers("Content-Type");
        MediaType type = MediaType.of(contentType);
        BodyDigester named = rules.digesterFor(type);
        BodyDigester digester =
                named.parses() && isEncoded(request) ? BodyComparison.raw().digester() : named;
        RequestDigest digest = new RequestDigest(rules, digester, type);
        digest.add(FORMAT);
        digest.add(request.method());
        digest.add(request.path());
        String query = request.query();
        digest.add(query == null ? "" : "?" + query);
        digest.add(type == null ? contentType.toString() : type.without(digester.meaninglessParameter()));
        digest.add(firstSent == null ? "" : Long.toString(firstSent.getEpochSecond()));
        List<String> compared = compared(request, rules);
        digest.add(Integer.toString(compared.size()));
        for (String name : compared) {
            digest.addHeader(name, request.headers(name));
        }
        return digest;
    }

    /** Whether the body is not what its media type says, but, for example, that in gzip. */
    private static boolean isEncoded(Request request) {
        return request.headers("Content-Encoding").stream()
                .anyMatch(coding -> !coding.strip().equalsIgnoreCase("identity"));
    }

    /** The headers of the rules, and those of the request that give the same bytes another meaning. */
    private static List<String> compared(Request request, HttpRules rules) {
        List<String> names = rules.comparedHeaders;
        for (String name : MEANING) {
            boolean unnamed = names.stream().noneMatch(name::equalsIgnoreCase);
            if (unnamed && !request.headers(name).isEmpty()) {
                names = new ArrayList<>(names);
                names.add(name);
            }
        }
        return names;
    }

    void update(byte[] bytes, int from, int count) throws BadBody {
        length += count;
        if (length > largestBody) {
            throw BadBody.tooLarge(largestBody);
        }
        body.update(bytes, from, count);
    }

    Fingerprint finish() throws BadBody {
        add(digester.name());
        Sha256.add(digest, body.finish());
        return Fingerprint.ofDigest(digest.digest());
    }

    private void addHeader(String name, List<String> lines) {
        add(Ascii.lower(name));
        add(Integer.toString(lines.size()));
        lines.forEach(line -> add(line.strip()));
    }

    private void add(String part) {
        Sha256.add(digest, part);
    }
}
