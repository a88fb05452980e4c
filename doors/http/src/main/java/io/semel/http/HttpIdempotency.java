// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.LeaseLost;
import io.semel.Level;
import io.semel.MalformedKey;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.OutcomeUnknown;
import io.semel.Rejection;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.UnreadableAnswer;
import io.semel.http.Answer.Header;
import io.semel.http.RequestDecision.PassReason;
import io.semel.http.internal.answer.ContentCoding;
import io.semel.http.internal.body.BadBody;
import io.semel.http.internal.body.EventId;
import io.semel.http.internal.failure.RefusalLog;
import io.semel.http.internal.failure.StoreBreaker;
import io.semel.http.internal.field.FirstSentDate;
import io.semel.http.internal.field.MalformedField;
import io.semel.http.internal.field.SessionFields;
import io.semel.http.internal.text.Ascii;
import io.semel.session.SessionKey;
import io.semel.time.KeyTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what to do with HTTP requests: every filter and gateway asks it, so that no rule is written twice.
 *
 * <p>Authentication and authorisation come before it. A request that is refused is not run.
 */
public final class HttpIdempotency {

    private final HttpRules rules;
    private final Problems problems;
    private final Scheme keys;
    private final @Nullable Scheme numbers;
    private final @Nullable SessionEndpoint endpoint;
    private final RefusalLog log = new RefusalLog();

    private HttpIdempotency(
            HttpRules rules, Scheme keys, @Nullable Scheme numbers, @Nullable SessionEndpoint endpoint) {
        this.rules = rules;
        this.problems = new Problems(rules);
        this.keys = keys;
        this.numbers = numbers;
        this.endpoint = endpoint;
    }

    /**
     * The idempotency of one kind of route. The engine's operation sets the retention and size of answers, and the policy for
     * busy and abandoned calls; its key time is replaced by that of the rules.
     */
    public static HttpIdempotency on(Engine engine, HttpRules rules) {
        Operation operation = engine.operation();
        List<Header> advertised = advertised(rules, operation.retention().retention());
        Scheme keys =
                new Scheme(engine.with(operation.keyTime(rules.keyTime, rules.skew)), false, advertised, breaker());
        return new HttpIdempotency(rules, keys, null, null);
    }

    private static StoreBreaker breaker() {
        return new StoreBreaker(System::nanoTime);
    }

    /** The same with sessions beside keys; the operation counts for both, but answers to numbers have no retention. */
    public HttpIdempotency sessions(HttpSessions sessions) {
        Operation operation = keys.engine.operation().keyTime(KeyTime.NONE, rules.skew);
        Scheme numbers = new Scheme(sessions.engine().with(operation), true, List.of(), breaker());
        return new HttpIdempotency(rules, keys, numbers, new SessionEndpoint(sessions, rules));
    }

    /** Decides whether the request takes part, before anything of its body is read. */
    public Admission admit(Request request) {
        SessionEndpoint sessions = endpoint;
        if (sessions != null && sessions.takes(request)) {
            return new Admission.ForSessions(() -> sessions.enter(request));
        }
        String method = request.method();
        if (rules.isOutside(method)) {
            return pass(PassReason.METHOD);
        }
        return switch (rules.keyUse) {
            case IGNORED -> pass(PassReason.IGNORED);
            case REJECTED ->
                rules.keyLines(request).isEmpty() && !SessionFields.arePresent(request)
                        ? pass(PassReason.NO_KEY)
                        : decided(problems.unsupported());
            case REQUIRED, OPTIONAL -> rules.methods.contains(method) ? takingPart(request) : pass(PassReason.METHOD);
        };
    }

    /** {@link #admit} and {@link Admission.Reading#enter} in one, for callers that have the whole body. */
    public RequestDecision enter(Request request, byte[] body) {
        Admission admission = admit(request);
        if (admission instanceof Admission.Decided decided) {
            return decided.decision();
        }
        if (admission instanceof Admission.ForSessions ours) {
            return ours.enter();
        }
        Admission.Reading reading = (Admission.Reading) admission;
        reading.update(body, 0, body.length);
        return reading.enter();
    }

    private Admission takingPart(Request request) {
        List<String> lines = rules.keyLines(request);
        if (!SessionFields.arePresent(request)) {
            return keyed(request, lines);
        }
        Scheme scheme = numbers;
        if (scheme == null) {
            return decided(problems.noSessions());
        }
        return lines.isEmpty() ? numbered(scheme, request) : decided(problems.keyAndNumber());
    }

    private Admission numbered(Scheme scheme, Request request) {
        try {
            SessionFields fields = SessionFields.of(request);
            SessionKey session = new SessionKey(request.caller().scope(rules.namespace), fields.id());
            return read(
                    scheme,
                    request,
                    null,
                    null,
                    print -> session.call(fields.number(), fields.firstOutstanding(), print));
        } catch (MalformedField fault) {
            return decided(
                    problems.of(Problem.Type.MALFORMED_SESSION, fault.field().detail()));
        } catch (MalformedKey e) {
            return decided(problems.malformedNumber());
        }
    }

    private Admission keyed(Request request, List<String> lines) {
        KeyField field = rules.dialect.read(lines, rules.longestKey);
        if (field instanceof KeyField.Malformed malformed) {
            return decided(problems.of(Problem.Type.MALFORMED_KEY, malformed.detail()));
        }
        if (field instanceof KeyField.Present present) {
            return keyed(request, key(request, present.key()), null);
        }
        String pointer = rules.keyPointer;
        return pointer == null ? new Admission.Decided(keyless()) : keyed(request, null, new EventId(pointer));
    }

    private Key key(Request request, String id) {
        return Key.of(request.caller().scope(rules.namespace), id);
    }

    private @Nullable Key found(Request request, EventId body) {
        String id = body.find();
        return id == null || id.length() > rules.longestKey ? null : key(request, id);
    }

    RequestDecision keyless() {
        return rules.keyUse == KeyUse.REQUIRED
                ? refused(problems.missingKey())
                : new RequestDecision.Pass(PassReason.NO_KEY);
    }

    /** By a key that is given, or by one that is found in the body. */
    private Admission keyed(Request request, @Nullable Key given, @Nullable EventId body) {
        try {
            String header = rules.firstSentHeader;
            Instant firstSent = header == null ? null : FirstSentDate.of(request.headers(header));
            return read(keys, request, firstSent, body, print -> {
                Key key = given == null ? found(request, Objects.requireNonNull(body)) : given;
                Call call = key == null ? null : Call.of(key, print);
                return call == null || firstSent == null ? call : call.firstSentAt(firstSent);
            });
        } catch (MalformedField fault) {
            return decided(
                    problems.of(Problem.Type.MALFORMED_FIRST_SENT, fault.field().detail()));
        }
    }

    private Admission read(
            Scheme scheme,
            Request request,
            @Nullable Instant firstSent,
            @Nullable EventId body,
            Function<Fingerprint, @Nullable Call> call) {
        if (announcesTooMuch(request)) {
            return decided(problems.bodyTooLarge());
        }
        try {
            RequestDigest digest = RequestDigest.of(request, rules, firstSent);
            return new Admission.Reading(this, digest, scheme, request, body, call);
        } catch (BadBody bad) {
            return decided(problems.of(bad));
        }
    }

    /** Only to save the reading: what is really read is counted in any case. */
    private boolean announcesTooMuch(Request request) {
        for (String length : request.headers("Content-Length")) {
            if (Ascii.areDigits(length) && (length.length() > 18 || Long.parseLong(length) > rules.largestBody)) {
                return true;
            }
        }
        return false;
    }

    RequestDecision enter(Scheme scheme, Request request, Call call) {
        return entered(scheme, request, call, () -> scheme.engine.begin(call, Answer.codec()));
    }

    Optional<RequestDecision> peek(Scheme scheme, Request request, Call call) {
        Optional<Outcome<Answer>> known;
        try {
            known = scheme.engine
                    .peek(call, Answer.codec())
                    .filter(outcome -> !scheme.numbered || isHeard(request, call));
        } catch (RuntimeException e) {
            return Optional.of(failed(scheme, call, e));
        }
        scheme.breaker.reached();
        return known.map(outcome -> answered(scheme, request, outcome));
    }

    /** Peeking alone tells the store nothing of the client, whose request is a sign of life; entering says why it comes too late. */
    private boolean isHeard(Request request, Call call) {
        return endpoint != null && endpoint.hears(request, call);
    }

    RequestDecision entered(Scheme scheme, Request request, Call call, Supplier<Begun<Answer>> beginning) {
        Begun<Answer> begun;
        try {
            begun = beginning.get();
        } catch (RuntimeException e) {
            return failed(scheme, call, e);
        }
        scheme.breaker.reached();
        if (begun instanceof Begun.Started<Answer> started) {
            return new RequestDecision.Run(
                    started,
                    new RunCompletion(started, rules, scheme.engine.level() == Level.JOINED),
                    scheme.advertised,
                    scheme.engine.operation().maxAnswer());
        }
        return answered(scheme, request, ((Begun.Answered<Answer>) begun).outcome());
    }

    private RequestDecision answered(Scheme scheme, Request request, Outcome<Answer> outcome) {
        if (outcome instanceof Outcome.Done<Answer> done) {
            return replay(scheme, request, done.value());
        }
        if (outcome instanceof Outcome.Busy<Answer> busy) {
            return refuse(problems.inProgress(busy.retryAfter()), null);
        }
        return refuse(problems.refused(((Outcome.Refused<Answer>) outcome).reason()), null);
    }

    private RequestDecision replay(Scheme scheme, Request request, Answer stored) {
        Answer rendered;
        try {
            rendered = rules.renderer.render(stored, request);
        } catch (UnreadableAnswer e) {
            return refuse(problems.refused(Outcome.Reason.NOT_RETAINED), e);
        }
        int most = scheme.engine.operation().maxAnswer();
        Optional<Answer> readable = ContentCoding.readable(rendered, request.headers("Accept-Encoding"), most);
        if (readable.isEmpty()) {
            return refuse(problems.notAcceptable(), null);
        }
        Answer answer = readable.get().with(HeaderNames.REPLAYED, "true");
        for (Header header : scheme.advertised) {
            answer = answer.with(header.name(), header.value());
        }
        return new RequestDecision.Replay(answer);
    }

    /** Instead of asking a store that could not be reached a moment ago. */
    RequestDecision unasked(Scheme scheme, Call call) {
        return unreachable(
                scheme,
                call,
                StoreException.unreachable(
                        "The store could not be reached a moment ago; one request a second tries again.", null));
    }

    private static void note(StoreBreaker breaker, RuntimeException e) {
        if (isUnreachable(e)) {
            breaker.unreachable();
        } else {
            breaker.reached();
        }
    }

    private static boolean isUnreachable(RuntimeException e) {
        return e instanceof StoreException failure && failure.isUnreachable();
    }

    private RequestDecision failed(Scheme scheme, Call call, RuntimeException e) {
        if (e instanceof MalformedKey) {
            return refused(scheme.numbered ? problems.malformedNumber() : problems.futureDated());
        }
        note(scheme.breaker, e);
        if (isUnreachable(e)) {
            return unreachable(scheme, call, e);
        }
        return e instanceof Rejection rejection ? refuse(problems.rejected(rejection), null) : failed(e);
    }

    /** What runs in this process is known without the store: a duplicate of it does not pass beside it. */
    private RequestDecision unreachable(Scheme scheme, Call call, RuntimeException e) {
        if (!rules.failOpen) {
            return refuse(problems.storeUnavailable(), e);
        }
        return scheme.engine.holds(call.key())
                ? refuse(problems.inProgress(scheme.engine.operation().retryAfter()), e)
                : new RequestDecision.Pass(PassReason.STORE_UNAVAILABLE);
    }

    private RequestDecision failed(RuntimeException e) {
        if (e instanceof UnreadableAnswer) {
            return refuse(problems.unreadable(), e);
        }
        if (e instanceof LeaseLost) {
            return refuse(problems.takenOver(), e);
        }
        if (e instanceof OutcomeUnknown) {
            return refuse(problems.unconfirmed(), e);
        }
        return refuse(problems.storeUnavailable(), e);
    }

    RequestDecision unavailable(Throwable cause) {
        return refuse(problems.storeUnavailable(), cause);
    }

    RequestDecision refuse(BadBody bad) {
        return refused(problems.of(bad));
    }

    /** A refusal that the engine's listener does not hear of. */
    private RequestDecision refused(Problem problem) {
        log.refused(problem.type(), null);
        return refuse(problem, null);
    }

    private RequestDecision refuse(Problem problem, @Nullable Throwable cause) {
        if (cause != null) {
            log.refused(problem.type(), cause);
        }
        return new RequestDecision.Refuse(problem, cause);
    }

    private Admission decided(Problem problem) {
        return new Admission.Decided(refused(problem));
    }

    private static Admission pass(PassReason reason) {
        return new Admission.Decided(new RequestDecision.Pass(reason));
    }

    private static List<Header> advertised(HttpRules rules, Duration retention) {
        boolean endless = retention.equals(Retention.FOREVER);
        return rules.advertiseRetention && !endless
                ? List.of(new Header(HeaderNames.LIFETIME, Long.toString(retention.toSeconds())))
                : List.of();
    }

    /** For the log of a start: what becomes of keys here. */
    @Override
    public String toString() {
        return keys.engine.toString();
    }

    /** One of the two ways to identify requests: by keys, or by the numbers of sessions. */
    record Scheme(Engine engine, boolean numbered, List<Header> advertised, StoreBreaker breaker) {}
}
