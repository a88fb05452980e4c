// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Fingerprint;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is compared of a request, digested as its body comes in; see {@code docs/formats/http-fingerprint.md}. */
final class RequestDigest {

    private static final String FORMAT = "semel-http-1";

    private final MessageDigest digest = Sha256.digest();
    private final BodyForm form;
    private final BodyDigest body;
    private final long largestBody;
    private long length;

    private RequestDigest(HttpRules rules, @Nullable MediaType type) throws BadBody {
        this.form = rules.formFor(type);
        this.body = form.start(type);
        this.largestBody = rules.largestBody;
    }

    static RequestDigest of(Request request, HttpRules rules, @Nullable Instant firstSent) throws BadBody {
        List<String> contentType = request.headers("Content-Type");
        MediaType type = MediaType.of(contentType);
        RequestDigest digest = new RequestDigest(rules, type);
        digest.add(FORMAT);
        digest.add(request.method());
        digest.add(request.path());
        String query = request.query();
        digest.add(query == null ? "" : "?" + query);
        digest.add(type == null ? contentType.toString() : type.without(digest.form.meaninglessParameter()));
        digest.add(firstSent == null ? "" : Long.toString(firstSent.getEpochSecond()));
        digest.add(Integer.toString(rules.comparedHeaders.size()));
        for (String name : rules.comparedHeaders) {
            digest.addHeader(name, request.headers(name));
        }
        return digest;
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
