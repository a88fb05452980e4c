// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Key;
import io.semel.http.internal.answer.ReplayedHeaders;
import io.semel.http.internal.body.BodyDigester;
import io.semel.http.internal.body.EventId;
import io.semel.http.internal.body.MediaType;
import io.semel.http.internal.text.Ascii;
import io.semel.time.KeyTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The rules of a route for requests with keys; immutable, each method gives a changed copy. The defaults are the published profile. */
public final class HttpRules {

    private static final Set<String> OUTSIDE = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "CONNECT");
    private static final Set<Integer> MISMATCH = Set.of(400, 409, 422);
    private static final HttpRules STANDARD = new HttpRules();

    // Not final, so that a copy can differ in one field; written only before anyone else sees the copy.
    List<String> keyHeaders = List.of(HeaderNames.KEY);
    KeyDialect dialect = KeyDialect.LENIENT;
    int longestKey = 255;
    KeyUse keyUse = KeyUse.OPTIONAL;
    Set<String> methods = Set.of("POST", "PATCH");
    String namespace = "http";
    List<String> comparedHeaders = List.of();
    List<BodyComparison> bodyComparisons = List.of();
    long largestBody = 10 << 20;
    int mismatchStatus = Problem.Type.KEY_REUSED.status();
    StatusPolicy statuses = StatusPolicy.standard();
    ReplayedHeaders replayedHeaders = ReplayedHeaders.STANDARD;
    ReplayRenderer renderer = (stored, request) -> stored;
    boolean failOpen;
    boolean advertiseRetention;
    KeyTime keyTime = KeyTime.UUID_V7;
    Duration skew = Duration.ofMinutes(5);

    @Nullable
    String keyPointer;

    @Nullable
    String firstSentHeader;

    String problemBase = "urn:semel:problem:";

    private HttpRules() {}

    /** The published profile, {@code docs/http-profile.md}. */
    public static HttpRules standard() {
        return STANDARD;
    }

    /** The names under which keys arrive; a request with lines under two of them is refused as one with two keys. */
    public HttpRules keyHeaders(String... names) {
        check(names.length > 0, "Give at least one name for the key header.");
        long distinct = Arrays.stream(names).map(Ascii::lower).distinct().count();
        check(distinct == names.length, "Each name of the key header is given once; their case does not matter.");
        return copy(it -> it.keyHeaders = List.of(names));
    }

    public HttpRules dialect(KeyDialect spelling) {
        return copy(it -> it.dialect = spelling);
    }

    /** The most characters that a key may have. */
    public HttpRules longestKey(int characters) {
        check(characters > 0 && characters <= Key.MAX_BYTES, "A key has from 1 to " + Key.MAX_BYTES + " characters.");
        return copy(it -> it.longestKey = characters);
    }

    public HttpRules keys(KeyUse use) {
        return copy(it -> it.keyUse = use);
    }

    /** The methods that take part, in place of POST and PATCH. */
    public HttpRules methods(String... names) {
        Set<String> set = Set.of(names);
        check(set.stream().noneMatch(OUTSIDE::contains), "GET, HEAD, OPTIONS, TRACE and CONNECT never take part.");
        return copy(it -> it.methods = set);
    }

    /** Keeps the keys of services that share one store apart; the first part of every scope. */
    public HttpRules namespace(String name) {
        check(name.matches("[ -~]{1,100}"), "A namespace has from 1 to 100 visible ASCII characters.");
        return copy(it -> it.namespace = name);
    }

    /** Headers that must be equal in a retry, such as an API version; by default none is compared. */
    public HttpRules compareHeaders(String... names) {
        return copy(it -> it.comparedHeaders = List.of(names));
    }

    /** Comparisons of bodies: the first one for the media type applies, and byte by byte where there is none. */
    public HttpRules compareBodies(BodyComparison... comparisons) {
        return copy(it -> it.bodyComparisons = List.of(comparisons));
    }

    /** The largest body of a request with a key; whoever sends more is refused. */
    public HttpRules largestBody(long bytes) {
        check(bytes >= 0, "The largest body is a number of bytes from zero.");
        return copy(it -> it.largestBody = bytes);
    }

    /** The status for a key that was used for another request: 422, 409 or 400. */
    public HttpRules mismatchStatus(int status) {
        check(MISMATCH.contains(status), "A mismatch is answered with 400, 409 or 422.");
        return copy(it -> it.mismatchStatus = status);
    }

    public HttpRules statuses(StatusPolicy policy) {
        return copy(it -> it.statuses = policy);
    }

    /**
     * For a route that takes events from elsewhere: the header with the sender's id of an event, such as {@code X-GitHub-Delivery} or
     * {@code Webhook-Id}, has its key, and no 4xx is kept, so that nobody can have the real event refused by sending a forged one before
     * it. Signatures are left to the handler. Give the operation a retention of as many days as the sender repeats an event.
     */
    public HttpRules webhook(String... idHeaders) {
        return keyHeaders(idHeaders).statuses(statuses.forgettingRefusals());
    }

    /**
     * {@link #webhook} for events whose id is in their JSON body: where it is, as a JSON pointer (RFC 6901) such as {@code /id}. It is a
     * text or a whole number. Needs Jackson 3 on the class path ({@code tools.jackson.core:jackson-core}), and takes bodies up to 1 MiB.
     * An event without such an id has no key.
     */
    public HttpRules webhookAt(String pointer) {
        EventId.check(pointer);
        StatusPolicy forgetting = statuses.forgettingRefusals();
        return copy(it -> {
            it.keyPointer = pointer;
            it.statuses = forgetting;
        });
    }

    /** The id that {@link #webhookAt} finds in a body, for those who need it before a request is admitted; null if there is none. */
    public static @Nullable String eventId(String pointer, byte[] body) {
        return EventId.in(pointer, body);
    }

    /** Headers to store and replay beside the standard ones. */
    public HttpRules replayHeaders(String... names) {
        return copy(it -> it.replayedHeaders = replayedHeaders.and(names));
    }

    public HttpRules renderReplays(ReplayRenderer hook) {
        return copy(it -> it.renderer = hook);
    }

    /**
     * Lets requests through unprotected while the store cannot be reached, instead of answering 503. A store that is there and
     * fails, such as by a deadlock or a time-out for a lock, may know of a first request: that stays a 503.
     */
    public HttpRules failOpen() {
        return copy(it -> it.failOpen = true);
    }

    /** Tells clients with every answer how long it is replayed. */
    public HttpRules advertiseRetention() {
        return copy(it -> it.advertiseRetention = true);
    }

    /** The kind of keys that carry their own time, and the largest allowed lead over the store's clock. */
    public HttpRules keyTime(KeyTime kind, Duration allowedSkew) {
        return copy(it -> {
            it.keyTime = kind;
            it.skew = allowedSkew;
        });
    }

    /** A header in which clients say when they first sent the request, as an HTTP date or a date of RFC 9651. */
    public HttpRules firstSentHeader(String name) {
        return copy(it -> it.firstSentHeader = name);
    }

    /** The base of the problems' URIs, for services that publish pages about them. */
    public HttpRules problemBase(String uri) {
        return copy(it -> it.problemBase = uri);
    }

    boolean isOutside(String method) {
        return OUTSIDE.contains(method);
    }

    List<String> keyLines(Request request) {
        if (keyHeaders.size() == 1) {
            return request.headers(keyHeaders.get(0));
        }
        List<String> lines = new ArrayList<>();
        keyHeaders.forEach(name -> lines.addAll(request.headers(name)));
        return lines;
    }

    BodyDigester digesterFor(@Nullable MediaType type) {
        return bodyComparisons.stream()
                .map(BodyComparison::digester)
                .filter(digester -> digester.takes(type))
                .findFirst()
                .orElseGet(BodyComparison.raw()::digester);
    }

    private HttpRules copy(Consumer<HttpRules> change) {
        HttpRules copy = new HttpRules();
        copy.keyHeaders = keyHeaders;
        copy.dialect = dialect;
        copy.longestKey = longestKey;
        copy.keyUse = keyUse;
        copy.methods = methods;
        copy.namespace = namespace;
        copy.comparedHeaders = comparedHeaders;
        copy.bodyComparisons = bodyComparisons;
        copy.largestBody = largestBody;
        copy.mismatchStatus = mismatchStatus;
        copy.statuses = statuses;
        copy.replayedHeaders = replayedHeaders;
        copy.renderer = renderer;
        copy.failOpen = failOpen;
        copy.advertiseRetention = advertiseRetention;
        copy.keyTime = keyTime;
        copy.skew = skew;
        copy.keyPointer = keyPointer;
        copy.firstSentHeader = firstSentHeader;
        copy.problemBase = problemBase;
        change.accept(copy);
        return copy;
    }

    private static void check(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }
}
