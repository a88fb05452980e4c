// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Fingerprint;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is compared of a request, digested as its body comes in; see {@code docs/formats/http-fingerprint.md}. */
final class RequestDigest {

    private static final String FORMAT = "semel-http-1";

    /** Headers that change what a method or a body means. */
    private static final List<String> MEANING =
            List.of("content-encoding", "x-http-method-override", "x-http-method", "x-method-override");

    private final MessageDigest digest = Sha256.digest();
    private final BodyForm form;
    private final BodyDigest body;
    private final long largestBody;
    private long length;

    private RequestDigest(HttpRules rules, BodyForm form, @Nullable MediaType type) throws BadBody {
        this.form = form;
        this.body = form.start(type);
        this.largestBody = rules.largestBody;
    }

    static RequestDigest of(Request request, HttpRules rules, @Nullable Instant firstSent) throws BadBody {
        List<String> contentType = request.headers("Content-Type");
        MediaType type = MediaType.of(contentType);
        BodyForm named = rules.formFor(type);
        BodyForm form = named.reads() && isEncoded(request) ? BodyForm.raw() : named;
        RequestDigest digest = new RequestDigest(rules, form, type);
        digest.add(FORMAT);
        digest.add(request.method());
        digest.add(request.path());
        String query = request.query();
        digest.add(query == null ? "" : "?" + query);
        digest.add(type == null ? contentType.toString() : type.without(digest.form.meaninglessParameter()));
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

    /** What the rules name, and what else the request has that would give the same bytes another meaning. */
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
        add(form.name());
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
