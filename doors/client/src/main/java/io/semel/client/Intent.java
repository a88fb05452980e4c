// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import io.semel.Attempt;
import io.semel.client.internal.request.BodyReader;
import io.semel.client.internal.request.JournaledHeaders;
import io.semel.client.internal.request.KeyHeader;
import io.semel.client.internal.request.SessionNumber;
import io.semel.time.KeyTime;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * A request that is to be carried out once, with the key that makes it so; immutable, each method gives a changed copy.
 *
 * <p>Make one per thing that shall happen, not one per attempt.
 */
public final class Intent {

    /** The most bytes of a body, unless another number is given. */
    public static final int LARGEST_BODY = 10 << 20;

    private static final Set<String> WITHOUT_EFFECT = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "CONNECT");

    private final String key;
    private final HttpRequest request;
    private final byte[] body;
    private final Instant since;

    private Intent(String key, HttpRequest request, byte[] body, Instant since) {
        this.key = key;
        this.request = request;
        this.body = body;
        this.since = since;
    }

    /** The request under a new key, a UUID of version 7. Its body is read here, once, and held in memory. */
    public static Intent of(HttpRequest request) {
        return of(request, LARGEST_BODY);
    }

    /** As {@link #of(HttpRequest)}, with a body of up to so many bytes. */
    public static Intent of(HttpRequest request, int largestBody) {
        if (WITHOUT_EFFECT.contains(request.method())) {
            throw new IllegalArgumentException("A key has no meaning with " + request.method()
                    + ", which may be repeated as it is; send it with the HttpClient itself.");
        }
        byte[] body = request.bodyPublisher()
                .map(publisher -> BodyReader.read(publisher, largestBody))
                .orElse(new byte[0]);
        return new Intent(KeyTime.uuidV7(), request, body, Instant.now());
    }

    /** An intent as a journal kept it. */
    public static Intent restored(
            String key, String method, URI uri, Map<String, List<String>> headers, byte[] body, Instant since) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).method(method, BodyPublishers.ofByteArray(body));
        headers.forEach((name, values) -> values.forEach(value -> request.header(name, value)));
        return new Intent(KeyHeader.checked(key), request.build(), body.clone(), since);
    }

    /** Under a key of the caller's own, from 1 to 255 visible characters of ASCII. */
    public Intent key(String other) {
        return new Intent(KeyHeader.checked(other), request, body, since);
    }

    /**
     * Under the key that an attempt at a greater call derives for this part of it, so that a second attempt at that call
     * sends the same again. The name tells the parts of one call apart.
     */
    public Intent derived(Attempt attempt, String name) {
        return key(attempt.derive(name));
    }

    /** With a header, in place of others of that name. */
    public Intent header(String name, String value) {
        return new Intent(key, copy().setHeader(name, value).build(), body, since);
    }

    public String key() {
        return key;
    }

    public String method() {
        return request.method();
    }

    public URI uri() {
        return request.uri();
    }

    public Map<String, List<String>> headers() {
        return request.headers().map();
    }

    public byte[] body() {
        return body.clone();
    }

    /** When it was made, by this machine's clock. */
    public Instant since() {
        return since;
    }

    /** With no headers but those of the given names, in lower case. */
    Intent keeping(Set<String> names) {
        BiPredicate<String, String> kept = (name, value) -> names.contains(JournaledHeaders.lower(name));
        return new Intent(key, HttpRequest.newBuilder(request, kept).build(), body, since);
    }

    /** As one request of a session, under its number instead of a key; also what is said of others stays as it is now. */
    Intent numbered(SessionNumber number) {
        return key(number.key())
                .header(HeaderNames.SESSION, number.session())
                .header(HeaderNames.REQUEST, Long.toString(number.number()))
                .header(HeaderNames.FIRST_OUTSTANDING, Long.toString(number.firstOutstanding()));
    }

    HttpRequest request() {
        return request;
    }

    /** The request for one attempt. */
    HttpRequest attempt(URI target, KeyHeader keyHeader) {
        HttpRequest.Builder attempt = copy().uri(target).method(request.method(), BodyPublishers.ofByteArray(body));
        boolean numbered = request.headers().firstValue(HeaderNames.SESSION).isPresent();
        return numbered
                ? attempt.build()
                : attempt.setHeader(keyHeader.name(), keyHeader.value(key)).build();
    }

    private HttpRequest.Builder copy() {
        return HttpRequest.newBuilder(request, (name, value) -> true);
    }

    /** Without headers and body, which do not belong into messages, and without the query. */
    @Override
    public String toString() {
        return method() + " " + uri().getScheme() + "://" + uri().getAuthority() + uri().getRawPath()
                + " under the key " + key;
    }
}
